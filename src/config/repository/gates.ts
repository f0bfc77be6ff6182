import { findDeclaredGates, type Gate, type Purpose, pickNames, sortGates } from './declared-gates.ts'
import { parseJsonObject, pickStrings, type Repository } from './repository.ts'

/**
 * Suggests commands that can verify an iteration. Named scripts win over defaults of the toolchain, and each source only
 * fills the purposes that earlier sources left open, so that the tests do not run twice.
 */
export function findGates(repository: Repository): readonly Gate[] {
  const named = findNamedGates(repository)
  const targets = without(named, makeTargets(repository))
  const defaults = without(targets, findDefaultGates(repository))
  const found = [...named, ...targets, ...defaults]
  const declared = firstOfEach(without(found, findDeclaredGates(repository)))
  return sortGates([...found, ...declared])
}

const without = (found: readonly Gate[], gates: readonly Gate[]): readonly Gate[] =>
  gates.filter((gate) => !found.some((known) => covers(known, gate)))

const covers = (known: Gate, { purpose }: Gate): boolean =>
  known.purpose === purpose || (purpose === 'check' && (known.purpose === 'lint' || known.purpose === 'types'))

const firstOfEach = (gates: readonly Gate[]): readonly Gate[] =>
  gates.filter((gate, index) => gates.findIndex(({ purpose }) => purpose === gate.purpose) === index)

function makeTargets(repository: Repository): readonly Gate[] {
  const from = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => repository.has(name))
  if (from === undefined) return []
  const rules = repository.text(from).matchAll(/^([\w -]+):(?!:?=)/gm)
  const targets = [...rules].flatMap(([, left]) => left!.split(' ')).filter((name) => wanted.includes(name))
  // By convention `make check` runs the tests if there is no `test` target.
  const checks: readonly Gate[] =
    targets.includes('check') && !targets.includes('test') ? [{ command: 'make check', purpose: 'test', from }] : []
  const others = checks.length > 0 ? targets.filter((name) => name !== 'check') : targets
  return [...checks, ...pickNames(others).map(([purpose, name]) => ({ command: `make ${name}`, purpose, from }))]
}

const wanted: readonly string[] = ['test', 'lint', 'check']

/** Default commands of the toolchain, recognized by its files. */
const findDefaultGates = (repository: Repository): readonly Gate[] => [
  ...kinds.flatMap(({ file, gates }) => {
    if (!repository.has(file)) return []
    return gates.flatMap(([purpose, command, needs]) =>
      needs === undefined || needs.some((name) => repository.has(name)) ? [{ command, purpose, from: file }] : [],
    )
  }),
  ...pythonGates(repository),
  ...rubyGates(repository),
  ...javaGates(repository),
]

type DefaultGate = readonly [Purpose, command: string, onlyWith?: readonly string[]]
const kinds: readonly { readonly file: string; readonly gates: readonly DefaultGate[] }[] = [
  {
    file: 'Cargo.toml',
    gates: [
      ['lint', 'cargo clippy -- -D warnings', ['clippy.toml', '.clippy.toml']],
      ['test', 'cargo test'],
    ],
  },
  {
    file: 'go.mod',
    gates: [
      ['lint', 'golangci-lint run', ['.golangci.yml', '.golangci.yaml', '.golangci.toml']],
      ['types', 'go vet ./...'],
      ['test', 'go test ./...'],
    ],
  },
  {
    file: 'mix.exs',
    gates: [
      ['lint', 'mix format --check-formatted', ['.formatter.exs']],
      ['test', 'mix test'],
    ],
  },
  { file: 'rebar.config', gates: [['test', 'rebar3 eunit']] },
  { file: 't', gates: [['test', 'prove -lr t', ['Makefile.PL', 'Build.PL', 'cpanfile', 'dist.ini']]] },
  { file: '.busted', gates: [['test', 'busted']] },
]

function pythonGates(repository: Repository): readonly Gate[] {
  const { has, text } = repository
  const project = text('pyproject.toml')
  const mentions = (word: string, files: readonly string[]) => files.find((file) => text(file).includes(word))
  const runner = [
    ['uv.lock', 'uv run '],
    ['poetry.lock', 'poetry run '],
    ['pdm.lock', 'pdm run '],
    ['Pipfile.lock', 'pipenv run '],
  ].find(([lock]) => has(lock!))
  const run = (command: string): string => `${runner?.[1] ?? ''}${command}`
  // Outside a virtual environment many systems have no `python`.
  const python = (call: string): string => (runner ? run(`python ${call}`) : `python3 ${call}`)
  const ruff = ['ruff.toml', '.ruff.toml'].find(has) ?? (project.includes('[tool.ruff') ? 'pyproject.toml' : undefined)
  const pytest =
    ['pytest.ini', 'conftest.py', 'tests/conftest.py'].find(has) ??
    mentions('pytest', ['pyproject.toml', 'setup.cfg', 'Pipfile', 'requirements-dev.txt', 'requirements.txt'])
  const unittest = findUnittest(repository)
  const tox = has('tox.ini') ? 'tox.ini' : project.includes('[tool.tox') ? 'pyproject.toml' : undefined
  const gates: Gate[] = []
  if (ruff) gates.push({ command: run('ruff check .'), purpose: 'lint', from: ruff })
  if (pytest) gates.push({ command: run('pytest'), purpose: 'test', from: pytest })
  else if (has('manage.py')) gates.push({ command: python('manage.py test'), purpose: 'test', from: 'manage.py' })
  else if (unittest) gates.push({ command: python(unittest.call), purpose: 'test', from: unittest.from })
  // tox builds its own environments and is slow, so it is only the fallback.
  else if (tox) gates.push({ command: 'tox', purpose: 'test', from: tox })
  return gates
}

/** Finds the first folder with tests that unittest discovers. A file for pytest among them would fail. */
function findUnittest(repository: Repository): { readonly call: string; readonly from: string } | undefined {
  for (const folder of ['tests', 'test', '.']) {
    const files = listTests(repository, folder)
    const texts = files.map((path) => repository.text(path))
    const from = files.find((_, index) => usesUnittest.test(texts[index]!))
    if (from === undefined || texts.some((text) => usesPytest.test(text))) continue
    // In a package, tests may import each other by its name.
    const top = repository.has(`${folder}/__init__.py`) ? ' -t .' : ''
    return { call: `-m unittest discover${folder === '.' ? '' : ` -s ${folder}${top}`}`, from }
  }
  return undefined
}

const usesUnittest = /^(?:import (?:\w+, )*unittest\b(?!\.)|from unittest import\b[^)]{0,300}?\bTestCase\b)/m
const usesPytest = /^(?:import|from) pytest\b/m
const maxTests = 100

/** Discovery goes into packages only. */
function listTests({ has, list }: Repository, folder: string): readonly string[] {
  const names = list(folder)
  const inside = folder === '.' ? [] : names.filter((name) => has(`${folder}/${name}/__init__.py`))
  const paths = [
    ...names.map((name) => (folder === '.' ? name : `${folder}/${name}`)),
    ...inside.flatMap((name) => list(`${folder}/${name}`).map((file) => `${folder}/${name}/${file}`)),
  ]
  return paths.filter((path) => /(?:^|\/)test[^/]*\.py$/.test(path)).slice(0, maxTests)
}

function rubyGates({ has, text }: Repository): readonly Gate[] {
  const run = has('Gemfile') ? 'bundle exec ' : ''
  const rspec = ['.rspec', 'spec/spec_helper.rb'].find(has)
  const gates: Gate[] = []
  if (has('.rubocop.yml')) gates.push({ command: `${run}rubocop`, purpose: 'lint', from: '.rubocop.yml' })
  if (rspec) gates.push({ command: `${run}rspec`, purpose: 'test', from: rspec })
  else if (has('bin/rails') && has('test'))
    gates.push({ command: 'bin/rails test', purpose: 'test', from: 'bin/rails' })
  else if (/TestTask|\btask :?test\b/.test(text('Rakefile')))
    gates.push({ command: `${run}rake test`, purpose: 'test', from: 'Rakefile' })
  return gates
}

function javaGates({ has }: Repository): readonly Gate[] {
  const gradle = ['build.gradle.kts', 'build.gradle'].find(has)
  const gates: Gate[] = []
  if (gradle)
    gates.push({ command: has('gradlew') ? './gradlew check' : 'gradle check', purpose: 'test', from: gradle })
  if (has('pom.xml'))
    gates.push({ command: has('mvnw') ? './mvnw -B test' : 'mvn -B test', purpose: 'test', from: 'pom.xml' })
  return gates
}

/** Scripts and tasks defined for package managers. */
const findNamedGates = (repository: Repository): readonly Gate[] => [
  ...packageScripts(repository),
  ...denoTasks(repository),
  ...composerScripts(repository),
]

function packageScripts(repository: Repository): readonly Gate[] {
  const manifest = parseJsonObject(repository.text('package.json'))
  const scripts = pickStrings(manifest.scripts)
  const usable = Object.keys(scripts).filter((name) => isGate(scripts[name]!))
  const manager = choosePackageManager(repository, manifest)
  return pickNames(usable).map(([purpose, name]) => {
    const command = calls[manager](name)
    // react-scripts watches files forever unless CI is set.
    const once = /\breact-scripts test\b/.test(scripts[name]!) ? `CI=1 ${command}` : command
    return { command: once, purpose, from: 'package.json' }
  })
}

/** Excludes npm's placeholder and scripts that watch for changes instead of exiting. */
const isGate = (script: string): boolean =>
  script.trim() !== '' &&
  !script.includes('no test specified') &&
  !/(?:^|\s)(?:-w|--watch(?:All)?)(?:$|\s|=true)/.test(script)

const calls = {
  npm: (name: string) => (name === 'test' ? 'npm test' : `npm run ${name}`),
  pnpm: (name: string) => (name === 'test' ? 'pnpm test' : `pnpm run ${name}`),
  yarn: (name: string) => `yarn run ${name}`,
  // Without `run`, bun runs its own test and build commands.
  bun: (name: string) => `bun run ${name}`,
}
type Manager = keyof typeof calls

const locks: readonly (readonly [string, Manager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
]

function choosePackageManager({ has }: Repository, { packageManager }: Readonly<Record<string, unknown>>): Manager {
  const [declared] = String(packageManager).split('@', 1)
  if (declared && Object.hasOwn(calls, declared)) return declared as Manager
  return locks.find(([file]) => has(file))?.[1] ?? 'npm'
}

function denoTasks(repository: Repository): readonly Gate[] {
  const file = ['deno.json', 'deno.jsonc'].find((name) => repository.has(name))
  if (file === undefined) return []
  const tasks = Object.keys(Object(parseJsonObject(repository.text(file)).tasks) as object)
  const named = pickNames(tasks).map(([purpose, name]): Gate => ({ command: `deno task ${name}`, purpose, from: file }))
  const defaults: readonly Gate[] = [
    { command: 'deno lint', purpose: 'lint', from: file },
    { command: 'deno test', purpose: 'test', from: file },
  ]
  return [...named, ...defaults.filter(({ purpose }) => !named.some((gate) => gate.purpose === purpose))]
}

function composerScripts(repository: Repository): readonly Gate[] {
  const scripts = Object.keys(Object(parseJsonObject(repository.text('composer.json')).scripts) as object)
  const from = 'composer.json'
  const named = pickNames(scripts).map(([purpose, name]): Gate => ({ command: `composer run ${name}`, purpose, from }))
  const unit = ['phpunit.xml', 'phpunit.xml.dist'].find((name) => repository.has(name))
  if (unit === undefined || named.some(({ purpose }) => purpose === 'test')) return named
  return [...named, { command: 'vendor/bin/phpunit', purpose: 'test', from: unit }]
}
