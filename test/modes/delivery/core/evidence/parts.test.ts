import { describe, expect, test } from 'vitest'
import { isManifest, mergeParts, pickDependencies } from '../../../../../src/modes/delivery/core/evidence/parts.ts'

const merge = (path: string, product: string | undefined, checks: string | undefined, dependencies = product) =>
  mergeParts(path, product, checks, dependencies)

describe('package.json', () => {
  const old = JSON.stringify({
    name: 'a',
    scripts: { test: 'vitest run' },
    dependencies: { x: '1' },
    jest: { bail: 1 },
  })
  const young = JSON.stringify({ name: 'b', scripts: { test: 'true' }, dependencies: { y: '2' }, main: 'b.js' })

  test('has the product of one version, and the scripts and settings of the other', () => {
    expect(JSON.parse(merge('package.json', young, old)!)).toEqual({
      name: 'b',
      main: 'b.js',
      dependencies: { y: '2' },
      scripts: { test: 'vitest run' },
      jest: { bail: 1 },
    })
  })

  test('takes dependencies from a third', () => {
    expect(JSON.parse(merge('packages/a/package.json', old, old, young)!)).toMatchObject({
      name: 'a',
      dependencies: { y: '2' },
    })
  })

  test('that is new has no scripts', () => {
    expect(JSON.parse(merge('package.json', young, undefined)!)).toEqual({
      name: 'b',
      main: 'b.js',
      dependencies: { y: '2' },
    })
  })

  test('that is not JSON cannot be split', () => {
    expect(merge('package.json', '{', old)).toBeUndefined()
  })
})

test('pyproject.toml keeps the settings of tools', () => {
  const old = '[project]\nname = "a"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n'
  const young =
    '[project]\nname = "b"\n\n[tool.pytest.ini_options]\naddopts = "--co"\n\n[tool.poetry.dependencies]\nx = "1"\n'
  expect(merge('pyproject.toml', young, old)).toBe(
    '[project]\nname = "b"\n[tool.poetry.dependencies]\nx = "1"\n[tool.pytest.ini_options]\naddopts = "-q"\n',
  )
})

test('pyproject.toml takes dependencies from a third, whole lists of them, and keeps comments', () => {
  const file = (name: string, more: string, options: string) =>
    `[project]\nname = "${name}" # ours\n${more}[tool.pytest.ini_options]\naddopts = ${options}\n`
  const list = 'dependencies = [\n  "x[extra]>1",\n  "y",\n]\n'
  const told = 'description = """\n[tool.pytest]\naddopts = 1\n"""\n'
  const old = file('a', told, '"-q"')
  expect(merge('pyproject.toml', old, old, file('b', list, '"--co"'))).toBe(
    `[project]\nname = "a" # ours\n${told}${list}[tool.pytest.ini_options]\naddopts = "-q"\n`,
  )
  const pick = (text: string) => pickDependencies('pyproject.toml', text)
  expect(pick(file('a', list, '1'))).toEqual(pick(file('b', list, '2')))
  expect(pick(file('a', list, '1'))).not.toEqual(pick(old))
})

test('Cargo.toml keeps targets, profiles and what is built', () => {
  const old = '[package]\nname = "a"\n\n[dependencies]\n'
  const young =
    '[package]\nname = "a"\nautotests = false\n\n[dependencies]\nx = "1"\n\n[[test]]\nname = "t"\nharness = false\n'
  expect(merge('Cargo.toml', young, old)).toBe('[package]\nname = "a"\n[dependencies]\nx = "1"\n')
  const bins = '[[bin]]\nname = "a"\n[[bin]]\nname = "b"\n'
  const members = (...names: string[]) =>
    `[workspace]\nmembers = [\n${names.map((name) => `  "${name}",\n`).join('')}]\n`
  expect(merge('Cargo.toml', members('a') + bins, members('a', 'b'))).toBe(members('a', 'b') + bins)
})

test('go.mod keeps a required module where it was', () => {
  const old = 'module a\n\nrequire example.com/check v1.0.0\n'
  expect(merge('go.mod', `${old}replace example.com/check => ./fake\n`, old)).toBe(old)
  const fresh = `${old}require b.com/new v1.0.0\nreplace b.com/new => ./new\n`
  expect(merge('go.mod', fresh, old)).toBe(fresh)
})

test('tests inside of a source are taken from the other version', () => {
  const source = (product: string, tests: string) =>
    `${product}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n${tests}}\n`
  const [asks, silent] = ['    #[test]\n    fn adds() { assert_eq!(add("{"), 2); }\n', '']
  const merged = merge(
    'src/lib.rs',
    source('pub fn add() -> i32 { 3 }', silent),
    source('pub fn add() -> i32 { 1 }', asks),
  )
  expect(merged).toBe(`${source('pub fn add() -> i32 { 3 }', asks)}\n`)
  expect(merge('src/lib.rs', 'pub fn add() {}\n', undefined)).toBeUndefined()
})

test('new comments that switch a checker off are left out, old ones stay', () => {
  const old = 'a() // @ts-ignore\n'
  expect(merge('a.ts', `// @ts-nocheck\n${old}b() // eslint-disable-line\n`, old)).toBe(`\n${old}b() \n`)
  expect(merge('a.py', 'x = f()  # type: ignore\n', 'x = f()\n')).toBe('x = f()  \n')
  expect(merge('a.ts', old, old)).toBeUndefined()
  // An example in a comment of Rust is a test, unless it says otherwise.
  expect(merge('src/lib.rs', '/// ```no_run\n/// f();\n/// ```\n', '/// ```\n')).toBe('/// ```\n/// f();\n/// ```\n')
})

test('an installation depends on lock files and the dependencies of manifests, not on scripts', () => {
  const paths = [
    'package.json',
    'a/package-lock.json',
    'uv.lock',
    'requirements-dev.txt',
    'node_modules/x/package.json',
    'a.ts',
  ]
  expect(paths.map(isManifest)).toEqual([true, true, true, true, false, false])
  const pick = (manifest: object) => pickDependencies('package.json', JSON.stringify(manifest))
  expect(pick({ scripts: { test: 'a' }, dependencies: { x: '1' } })).toEqual(
    pick({ version: '2', dependencies: { x: '1' } }),
  )
  expect(pick({ dependencies: { x: '1' } })).not.toEqual(pick({ dependencies: { x: '2' } }))
})
