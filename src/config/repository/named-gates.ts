import { type Gate, pickNames } from './gate.ts'
import { jsonIn, type Repository, textsIn } from './repository.ts'

/** Commands that the people of the repository have given a name: scripts and tasks of the package managers. */
export const namedGates = (repository: Repository): readonly Gate[] => [
  ...packageScripts(repository),
  ...denoTasks(repository),
  ...composerScripts(repository),
]

function packageScripts(repository: Repository): readonly Gate[] {
  const manifest = jsonIn(repository.text('package.json'))
  const scripts = textsIn(manifest.scripts)
  const usable = Object.keys(scripts).filter((name) => isGate(scripts[name]!))
  const manager = managerOf(repository, manifest)
  return pickNames(usable).map(([purpose, name]) => {
    const command = calls[manager](name)
    // It watches files for ever unless it believes to be in a CI.
    const once = /\breact-scripts test\b/.test(scripts[name]!) ? `CI=1 ${command}` : command
    return { command: once, purpose, from: 'package.json' }
  })
}

/** Not the text that npm puts there itself, and nothing that waits for changes instead of ending. */
const isGate = (script: string): boolean =>
  script.trim() !== '' &&
  !script.includes('no test specified') &&
  !/(?:^|\s)(?:-w|--watch(?:All)?)(?:$|\s|=true)/.test(script)

const calls = {
  npm: (name: string) => (name === 'test' ? 'npm test' : `npm run ${name}`),
  pnpm: (name: string) => (name === 'test' ? 'pnpm test' : `pnpm run ${name}`),
  yarn: (name: string) => `yarn run ${name}`,
  // Without `run`, bun takes test and build for commands of its own.
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

function managerOf({ has }: Repository, { packageManager }: Readonly<Record<string, unknown>>): Manager {
  const [declared] = String(packageManager).split('@', 1)
  if (declared && Object.hasOwn(calls, declared)) return declared as Manager
  return locks.find(([file]) => has(file))?.[1] ?? 'npm'
}

function denoTasks(repository: Repository): readonly Gate[] {
  const file = ['deno.json', 'deno.jsonc'].find((name) => repository.has(name))
  if (file === undefined) return []
  const tasks = Object.keys(Object(jsonIn(repository.text(file)).tasks) as object)
  const named = pickNames(tasks).map(([purpose, name]): Gate => ({ command: `deno task ${name}`, purpose, from: file }))
  const usual: readonly Gate[] = [
    { command: 'deno lint', purpose: 'lint', from: file },
    { command: 'deno test', purpose: 'test', from: file },
  ]
  return [...named, ...usual.filter(({ purpose }) => !named.some((gate) => gate.purpose === purpose))]
}

function composerScripts(repository: Repository): readonly Gate[] {
  const scripts = Object.keys(Object(jsonIn(repository.text('composer.json')).scripts) as object)
  const from = 'composer.json'
  const named = pickNames(scripts).map(([purpose, name]): Gate => ({ command: `composer run ${name}`, purpose, from }))
  const unit = ['phpunit.xml', 'phpunit.xml.dist'].find((name) => repository.has(name))
  if (unit === undefined || named.some(({ purpose }) => purpose === 'test')) return named
  return [...named, { command: 'vendor/bin/phpunit', purpose: 'test', from: unit }]
}
