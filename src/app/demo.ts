import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildEnvironment } from '../adapters/shell/env.ts'
import { allPids, carriesMark } from '../adapters/shell/processes.ts'
import { createShell } from '../adapters/shell/shell.ts'
import { PawlError } from '../contract/exit.ts'
import { demoConfig, demoScript } from './demo-files.ts'
import { listRuns, type RunEntry } from './index-of-runs.ts'
import type { Place } from './paths.ts'
import { eventsOf } from './read-run.ts'

export type Claim = { readonly says: string; readonly holds: boolean; readonly found: string }
export type Demo = { readonly dir: string; readonly run: string; readonly claims: readonly Claim[] }
type Say = (line: string) => void

/** A small loop on the scripted agent: started, killed in the middle, resumed; then every claim is read back from files. */
export async function runDemo(place: Place, keep: string | undefined, say: Say, stop: AbortSignal): Promise<Demo> {
  const dir = keep ?? mkdtempSync(join(tmpdir(), 'pawl-demo-'))
  const workspace = join(dir, 'workspace')
  const state = join(dir, 'state')
  mkdirSync(join(workspace, '.pawl'), { recursive: true })
  writeFileSync(join(workspace, '.pawl', 'config.yml'), demoConfig)
  writeFileSync(join(workspace, 'agent.yml'), demoScript)
  const env = buildEnvironment(place.env, {
    allow: [],
    add: { XDG_STATE_HOME: state, XDG_CONFIG_HOME: join(dir, 'config'), PAWL_SANDBOX: 'off' },
  })
  const crash = new AbortController()
  // One shell whose kill is the crash itself, and one for everything after it; Ctrl-C ends what runs in both.
  const doomed = createShell({ secrets: [], isolation: 'off', kill: crash.signal })
  const shell = createShell({ secrets: [], isolation: 'off' })
  const pawl = async (words: readonly string[], by = shell): Promise<number | null> => {
    say(`\n$ pawl ${words.join(' ')}`)
    const onOutput = (_stream: string, text: string): void => {
      for (const line of text.trimEnd().split('\n')) say(`  ${line}`)
    }
    const log = join(dir, 'demo.log')
    const argv = [process.execPath, program, ...words] as const
    const exit = await by.run({ argv, cwd: workspace, env, log, scope: 'pawl-demo', onOutput }, stop)
    stop.throwIfAborted()
    return exit.code
  }

  say('A procedure of four iterations. The agent is scripted; in iteration 2 it hangs and leaves a daemon behind.')
  const here = { ...place, cwd: workspace, env: { XDG_STATE_HOME: state } }
  const over = new AbortController()
  const found = watchFor(here, 'iteration-2', over.signal, () => crash.abort())
  await pawl(['run', 'build', '--max-iterations', '4', '--trust'], doomed).finally(() => over.abort())
  const run = await found
  if (!run) throw new PawlError(20, 'the demo could not be run: its first command ended early', `Its files: ${dir}`)
  say('\n  (pawl was killed with -9 while iteration 2 ran)')
  const orphans = processesOf(run.id)
  await pawl(['why'])
  const exit = await pawl(['resume', 'build'])
  await pawl(['show'])
  const whole = await pawl(['fsck'])
  return { dir, run: run.id, claims: claimsOf(run.dir, workspace, { exit, whole, orphans, left: processesOf(run.id) }) }
}

const program = fileURLToPath(new URL('../../bin/pawl.cjs', import.meta.url))

/** Waits for the run to begin a task, as its journal tells, and does something then. Nothing, if the run is over first. */
async function watchFor(
  place: Place,
  task: string,
  over: AbortSignal,
  then: () => void,
): Promise<RunEntry | undefined> {
  while (!over.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    const run = listRuns(place)[0]
    const begun = run && eventsOf(run.dir).some((event) => event.type === 'attempt-started' && event.task === task)
    // The agent and its daemon must both be up: killed before that there would be nothing to end.
    if (!begun || processesOf(run.id) < 2) continue
    then()
    return run
  }
  return undefined
}

type Seen = { exit: number | null; whole: number | null; orphans: number; left: number }

function claimsOf(runDir: string, workspace: string, seen: Seen): Claim[] {
  const events = [...eventsOf(runDir)]
  const work = readFileSync(join(workspace, 'WORK.md'), 'utf8').trim().split('\n')
  const settled = events.flatMap((e) =>
    e.type === 'decision-made' && e.decision.do === 'settle' ? [`${e.task} ${e.decision.as}`] : [],
  )
  const gaps = events.filter(({ seq }, index) => seq !== index + 1).length
  const result = JSON.parse(readFileSync(join(runDir, 'result.json'), 'utf8')) as { status: string }
  const claim = (says: string, holds: boolean, found: unknown): Claim => ({ says, holds, found: String(found) })
  return [
    claim('kill -9 left a daemon of the agent behind', seen.orphans > 0, `${seen.orphans} processes`),
    claim('resume ended it before anything else', seen.left === 0, `${seen.left} processes`),
    claim('finished work was not done again', work.join() === 'iteration-1,iteration-3,iteration-4', work.join(', ')),
    claim(
      'iteration 2 kept its number and was not repeated',
      settled[1] === 'iteration-2 interrupted',
      settled.join(', '),
    ),
    claim('the journal has no gap', gaps === 0 && events.length > 0, `${events.length} events`),
    claim('every decision would be made again (fsck)', seen.whole === 0, `exit ${seen.whole}`),
    claim(
      'the run completed',
      seen.exit === 0 && result.status === 'completed',
      `exit ${seen.exit}, result.json ${result.status}`,
    ),
  ]
}

/** Whatever carries the run's mark: its agents, and what they started. */
const processesOf = (run: string): number => allPids().filter((pid) => carriesMark(pid, `PAWL_SCOPE=${run}`)).length
