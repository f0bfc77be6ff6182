import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { tokensOf } from '../../scripts/fence/tokens.ts'
import { programNames } from '../../src/contract/programs.ts'
import { type Ended, makeRoot, makeTempFolder, projectRoot, run } from './fake-root.ts'

const temp = makeTempFolder()
afterAll(() => rmSync(temp, { recursive: true, force: true }))

const root = makeRoot(join(temp, 'plain'), { withNode: false })

function pawl(args: readonly string[], env: NodeJS.ProcessEnv = {}, at = root): Promise<Ended> {
  return run(process.execPath, [join(at, 'bin', 'pawl.cjs'), ...args], { env })
}

test('an old Node can parse it', () => {
  const tokens = tokensOf(readFileSync(join(projectRoot, 'bin', 'pawl.cjs'), 'utf8').replace(/^#!.*/, ''))
  const words = tokens.filter(({ kind }) => kind === 'word').map(({ text }) => text)
  for (const young of ['let', 'const', 'class', 'async', 'await', 'import', 'of']) expect(words).not.toContain(young)
  const marks = tokens.map(({ kind, text }) => (kind === 'mark' ? text : 'x')).join('')
  for (const young of ['=>', '?.', '??', '...', '**', '`', ',)']) expect(marks).not.toContain(young)
})

test.for<[string, boolean]>([
  ['6.17.1', false],
  ['20.20.2', false],
  ['22.21.9', false],
  ['22.22.0', true],
  ['23.11.1', false],
  ['24.14.9', false],
  ['24.15.0', true],
  ['25.0.0', true],
  ['100.1.0', true],
])('Node %s: may run %s', async ([version, mayRun]) => {
  const pretend = join(temp, `pretend-${version}.cjs`)
  writeFileSync(pretend, `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`)
  const { code, stdout, stderr } = await pawl(['--version'], { NODE_OPTIONS: `--require ${pretend}` })
  expect([code, stdout]).toEqual(mayRun ? [0, '9.8.7\n'] : [69, ''])
  if (!mayRun) expect(stderr).toMatch(new RegExp(`^pawl: needs Node .* this is Node ${version} .*\n$`))
})

test('engines in package.json says the same as the guard', () => {
  expect(JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')).engines.node).toBe('^22.22.0 || >=24.15.0')
})

test.for([[], ['--help'], ['-h'], ['help']])('help is printed before anything is loaded: %j', async (args) => {
  const { code, stdout, stderr } = await pawl(args)
  expect([code, stdout, stderr]).toEqual([0, 'the help\n', ''])
})

test.for([['--version'], ['-V']])('the version is printed before anything is loaded: %j', async (args) => {
  const { code, stdout, stderr } = await pawl(args)
  expect([code, stdout, stderr]).toEqual([0, '9.8.7\n', ''])
})

test('rooda has its own help, santiago that of pawl', async () => {
  expect((await pawl(['--help'], { PAWL_INVOKED_AS: 'rooda' })).stdout).toBe('the help of rooda\n')
  expect((await pawl(['--help'], { PAWL_INVOKED_AS: 'santiago' })).stdout).toBe('the help\n')
})

test.for([['help', 'run'], ['run', '--help'], ['ls']])('%j goes to the engine', async (args) => {
  const { stdout, stderr } = await pawl(args)
  expect(stderr).toBe('engine loaded\n')
  expect(JSON.parse(stdout)).toMatchObject({ argv: args, invokedAs: 'pawl', own: null })
})

test('it knows the names that the program has, and there is a link for each', async () => {
  const source = readFileSync(join(projectRoot, 'bin', 'pawl.cjs'), 'utf8')
  const [, list = ''] = /\[([^\]]*)\]\.indexOf\(name\)/.exec(source) ?? []
  expect(['pawl', ...[...list.matchAll(/'(\w+)'/g)].map(([, name]) => name)]).toEqual(programNames)
  expect(readdirSync(join(projectRoot, 'bin')).sort()).toEqual([...programNames, 'pawl.cjs'].sort())
  for (const name of programNames) {
    expect(JSON.parse((await pawl(['ls'], { PAWL_INVOKED_AS: name })).stdout)).toMatchObject({ invokedAs: name })
  }
})

test('a name that is none of ours counts as pawl, and is not passed on', async () => {
  const { stdout } = await pawl(['ls'], { PAWL_INVOKED_AS: '../../etc/passwd' })
  expect(JSON.parse(stdout)).toMatchObject({ invokedAs: 'pawl', own: null, child: 'undefined' })
})

test('a reader that leaves early is no error', async () => {
  const large = makeRoot(join(temp, 'large'), { withNode: false })
  writeFileSync(join(large, 'dist', 'help.txt'), 'line of help\n'.repeat(100_000))
  const child = spawn(process.execPath, [join(large, 'bin', 'pawl.cjs')], { stdio: ['ignore', 'pipe', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (text) => (stderr += text))
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [code] = await once(child, 'close')
  expect([code, stderr]).toEqual([0, ''])
})

test('a long help arrives whole', async () => {
  const long = makeRoot(join(temp, 'long'), { withNode: false })
  writeFileSync(join(long, 'dist', 'help.txt'), 'line of help\n'.repeat(100_000))
  expect((await pawl([], {}, long)).stdout.length).toBe(1_300_000)
})

test('without dist the source runs, help included', async () => {
  const source = makeRoot(join(temp, 'source'), { withNode: false })
  rmSync(join(source, 'dist'), { recursive: true })
  mkdirSync(join(source, 'src'))
  const main = 'export async function main(argv: string[]): Promise<void> { console.log("source", ...argv) }'
  writeFileSync(join(source, 'src', 'main.ts'), main)
  expect((await pawl(['--help'], {}, source)).stdout).toBe('source --help\n')
  expect((await pawl(['ls', '-a'], {}, source)).stdout).toBe('source ls -a\n')
  expect((await pawl(['--version'], {}, source)).stdout).toBe('9.8.7\n')
})

test('an engine that cannot be loaded, or rejects, ends with 20 and its message', async () => {
  const broken = makeRoot(join(temp, 'broken'), { withNode: false })
  rmSync(join(broken, 'dist', 'main.js'))
  expect(await pawl(['ls'], {}, broken)).toMatchObject({
    code: 20,
    stderr: expect.stringMatching(/^pawl: Cannot find module .*\(in a checkout, run: npm ci\)\n$/),
  })
  writeFileSync(join(broken, 'dist', 'main.js'), 'export const = 1')
  expect(await pawl(['ls'], {}, broken)).toMatchObject({ code: 20, stderr: expect.stringMatching(/^pawl: .+\n$/) })
  expect(await pawl(['throw', 'no luck'])).toMatchObject({ code: 20, stderr: 'engine loaded\npawl: no luck\n' })
})

describe('what Node compiles is cached', () => {
  /** Runs a command in a fresh home and returns what is in its state folder and its temporary folder. */
  async function runAt(name: string, prepare: (state: string) => void) {
    const home = join(temp, name)
    const [state, own] = [join(home, '.local', 'state', 'pawl'), join(home, 'tmp')]
    mkdirSync(own, { recursive: true })
    prepare(state)
    const before = readdirSync(root, { recursive: true })
    const variables = { HOME: home, XDG_STATE_HOME: undefined, TMPDIR: own, NODE_COMPILE_CACHE: undefined }
    expect((await pawl(['ls'], variables)).code).toBe(0)
    expect(readdirSync(root, { recursive: true })).toEqual(before)
    expect(readdirSync(own)).toEqual([])
    const cache = join(state, 'compile-cache')
    const cached = statSync(cache, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(cache) : []
    return { state, cached }
  }
  const makeState = (state: string): void => void mkdirSync(state, { recursive: true, mode: 0o700 })

  test('in the state folder, which only this person can read', async () => {
    const { state, cached } = await runAt('own-state', makeState)
    expect(cached).toHaveLength(1)
    expect(statSync(join(state, 'compile-cache')).mode & 0o777).toBe(0o700)
  })

  test.for<[string, (state: string) => void]>([
    ['there is no state folder', () => {}],
    [
      'others can write the state folder',
      (state) => {
        makeState(state)
        chmodSync(state, 0o777)
      },
    ],
    [
      'others can read the cache',
      (state) => {
        makeState(state)
        mkdirSync(join(state, 'compile-cache'))
        chmodSync(join(state, 'compile-cache'), 0o755)
      },
    ],
    [
      'the cache is a link',
      (state) => {
        makeState(state)
        mkdirSync(join(state, 'elsewhere'), { mode: 0o700 })
        symlinkSync(join(state, 'elsewhere'), join(state, 'compile-cache'))
      },
    ],
    [
      'the cache is a file',
      (state) => {
        makeState(state)
        writeFileSync(join(state, 'compile-cache'), '')
      },
    ],
  ])('not at all if %s', async ([name, prepare]) => {
    expect((await runAt(name, prepare)).cached).toEqual([])
  })

  test.skipIf(process.getuid?.() !== 0)('not at all if it belongs to somebody else', async () => {
    const { cached } = await runAt('foreign', (state) => {
      makeState(state)
      mkdirSync(join(state, 'compile-cache'), { mode: 0o700 })
      chownSync(join(state, 'compile-cache'), 12_345, 12_345)
    })
    expect(cached).toEqual([])
  })
})
