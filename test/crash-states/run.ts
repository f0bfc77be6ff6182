// Power losses: records a run with strace, builds each state that a power loss may leave, and resumes from it.
// npm run crash-states -- [scenario] [most states to check]
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Made, scenarios } from './scenarios.ts'
import { type CrashState, crashStates, writeState } from './states.ts'
import { traceCommand } from './trace.ts'

const program = fileURLToPath(new URL('../../bin/pawl', import.meta.url))
const words = process.argv.slice(2)
const most = Number(words.find((word) => /^\d+$/.test(word)) ?? Infinity)
const named = Object.keys(scenarios).filter((name) => words.includes(name))

/** `log` gets a line for each start of an agent or model. It is outside of what a power loss changes. */
function examine(name: string, live: string, base: string, log: string): number {
  fs.mkdirSync(live)
  const made = scenarios[name]!(live, log)
  // Without its own files of compiled code, which would make thousands of states.
  const env = {
    PATH: process.env.PATH,
    HOME: made.home,
    TZ: 'UTC',
    PAWL_SANDBOX: 'off',
    NODE_DISABLE_COMPILE_CACHE: '1',
  }
  const restore = (): void => {
    fs.rmSync(live, { recursive: true, force: true })
    fs.cpSync(base, live, { recursive: true, verbatimSymlinks: true })
    fs.rmSync(log, { force: true })
  }
  const run = (args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: made.workspace, env, encoding: 'utf8' })
    return { code: status, says: `${stdout}${stderr}`.trim() }
  }
  fs.cpSync(live, base, { recursive: true, verbatimSymlinks: true })
  const traced = traceCommand([program, ...made.start], { cwd: made.workspace, env, file: `${log}.trace` })
  if (traced.status !== 0) throw new Error(`${name} ended with ${traced.status}: ${traced.stderr}`)
  restore()
  const states = [...crashStates(traced.ops, made.roots)]
  const step = Math.max(1, Math.ceil(states.length / most))
  const sample = states.filter((_, index) => index % step === 0)
  let found = 0
  for (const state of sample) {
    restore()
    writeState(state.state, made.roots)
    const problems = check(made, state, run)
    if (problems.length > 0) found++
    for (const problem of problems) console.log(`${name}, ${state.model}, after operation ${state.at}: ${problem}`)
  }
  const counts = `${traced.ops.length} operations, ${states.length} states, ${sample.length} checked`
  console.log(`${name}: ${counts}, ${found} with violations`)
  return found
}

type Run = (args: readonly string[]) => { readonly code: number | null; readonly says: string }

/** No synced event is lost, no finished step runs again, the run can be finished, and its journal is then intact. */
function check(made: Made, { promised }: CrashState, run: Run): string[] {
  const dir = findRun(made.runs)
  if (!dir) return promised === '' ? [] : ['the run is gone, but events of it were synced']
  const { code, says } = run(made.resume)
  if (code !== 0) return [`resume ended with ${code}: ${says.slice(-300)}`]
  const problems: string[] = []
  const journal = fs.readFileSync(join(dir, 'progress.ndjson'), 'utf8')
  if (!journal.startsWith(promised)) problems.push('synced events are lost or changed')
  const later = journal
    .slice(promised.length)
    .split('\n')
    .flatMap((line) => startedStep.exec(line)?.[1] ?? [])
  const again = [...made.listStarts(), ...later].filter((step) => isSettled(promised, step))
  if (again.length > 0) problems.push(`finished steps ran again: ${again.join(', ')}`)
  const fsck = run(['fsck', dir])
  if (fsck.code !== 0) problems.push(`fsck: ${fsck.says.slice(-300)}`)
  return problems
}

const startedStep = /"story_id":"([^"]+)","phase":"execute".*"status":"started"/

/** A folder without a request is not a run yet. */
const findRun = (runs: string): string | undefined =>
  (fs.existsSync(runs) ? fs.readdirSync(runs) : [])
    .map((name) => join(runs, name))
    .find((dir) => fs.existsSync(join(dir, 'request.json')))

const isSettled = (journal: string, step: string): boolean =>
  journal
    .split('\n')
    .some(
      (line) => line.includes(`"story_id":"${step}"`) && /"phase":"decide".*"status":"(done|interrupted)"/.test(line),
    )

let violations = 0
for (const name of named.length > 0 ? named : Object.keys(scenarios)) {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'pawl-crash-states-')))
  try {
    violations += examine(name, join(root, 'live'), join(root, 'base'), join(root, 'log'))
  } finally {
    fs.rmSync(root, { recursive: true, force: true })
  }
}
process.exitCode = violations > 0 ? 1 : 0
