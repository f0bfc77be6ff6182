import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isSame, type Process } from '../../adapters/shell/processes.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import type { Exit } from '../../ports/shell.ts'
import { readRun } from '../../run/read-run.ts'
import type { Evidence, Misbehaviour } from './evidence.ts'
import { askGit, hasProcessTable, listCommits, listDaemons, listProcesses, readEvents } from './evidence.ts'
import { runCheck, storyCheck } from './project.ts'
import type { Stage } from './stage.ts'

type Begun = Pick<Evidence, 'repository' | 'plans' | 'first'>

/** Creates the repository and plans its PRD twice. */
export async function planTwice({ run, dir, repository }: Stage): Promise<Begun> {
  await run(['git', '-c', 'init.defaultBranch=main', 'init', '--quiet'])
  await run(['git', 'config', 'user.name', 'Demo'])
  await run(['git', 'config', 'user.email', 'demo@example.org'])
  await run(['git', 'add', '.'])
  await run(['git', 'commit', '--quiet', '-m', 'A PRD and its tests'])
  const plan = (folder: string) => ['pawl', 'plan', 'PRD.md', '--verify', storyCheck, '--out-dir', folder] as const
  await run(plan('../plan-1'), { variables: { LC_ALL: 'C', TZ: 'America/St_Johns' } })
  await run(plan('../plan-2'), { variables: { LC_ALL: 'tr_TR.UTF-8', TZ: 'Pacific/Kiritimati' }, lastLineOnly: true })
  const plans = [join(dir, 'plan-1', 'plan.json'), join(dir, 'plan-2', 'plan.json')] as const
  return { repository, plans, first: await askGit(repository, 'rev-parse', 'HEAD') }
}

const checks = ['--verify', storyCheck, '--verify-run', runCheck] as const

export async function deliver({ run }: Stage, agent: string): Promise<void> {
  await run(['pawl', 'deliver', 'PRD.md', '-v', '--agent', agent, ...checks, '--attempts', '3', '--max-time', '30m'])
}

/** Delivers the PRD and kills pawl during the third story. */
export async function deliverAndCrash(stage: Stage, beforeKill: () => void): Promise<Misbehaviour> {
  return crashInStory3(stage, {
    start: () => stage.run(['pawl', 'deliver', 'PRD.md', '-v', '--agent', 'scripted', ...checks]),
    kill: async (pid) => {
      beforeKill()
      await stage.run(['kill', '-9', String(pid)])
    },
  })
}

export async function resumeDelivery({ run }: Stage): Promise<void> {
  await run(['pawl', 'why'])
  await run(['pawl', 'resume', '-v'])
}

export async function showDelivery({ run, newestRun }: Stage): Promise<Pick<Evidence, 'run' | 'exits'>> {
  const tests = await run(['node', '--test'])
  await run(['git', 'log', '--oneline'])
  await run(['git', 'log', '-1', '--format=%B'])
  await run(['git', 'status', '--short', '--branch'])
  await run(['pawl', 'show'])
  await run(['pawl', 'why'])
  const fsck = await run(['pawl', 'fsck'])
  const newest = await newestRun()
  const found = newest && { id: newest.entry.id, dir: newest.entry.address }
  return { run: found, exits: { tests: tests.code, fsck: fsck.code } }
}

type CrashSteps = {
  readonly start: () => Promise<Exit>
  readonly kill: (pid: number) => Promise<void>
}

/** Starts a delivery and kills it once the agent of S3 and its daemon are running. */
async function crashInStory3({ repository, newestRun }: Stage, { start, kill }: CrashSteps): Promise<Misbehaviour> {
  const over = new AbortController()
  const exited = start().finally(() => over.abort())
  // Handled below: this only prevents an unhandled rejection if the demo is stopped meanwhile.
  exited.catch(() => undefined)
  const { left, at } = await watch(newestRun, over.signal)
  const straggler = left && { process: left, ended: !isSame(left) }
  if (!at) {
    await exited
    return { straggler, crash: undefined }
  }
  const running = listProcesses(at.run.entry.id)
  const { seq } = (await readRun(at.run)).state
  const commits = await listCommits(repository)
  await kill(at.pid)
  const { signal } = await exited
  const survivors = running.filter(isSame).length
  return { straggler, crash: { pid: at.pid, signal, seq, commits, running, survivors } }
}

type Watched = {
  readonly left: Process | undefined
  readonly at: { readonly run: StoredRun; readonly pid: number } | undefined
}

/** Waits until the agent of S3 is running, or the delivery has ended. */
async function watch(newestRun: Stage['newestRun'], over: AbortSignal): Promise<Watched> {
  let left: Process | undefined
  while (!over.aborted) {
    await delay(20)
    const run = await newestRun()
    if (!run) continue
    const { id } = run.entry
    const story = await findCurrentStory(run)
    if (story === 'S2') left ??= listDaemons(id)[0]
    if (story !== 'S3') continue
    const daemon = listDaemons(id).find(({ pid }) => pid !== left?.pid)
    const owner = await run.owner()
    // Wait for its daemon, so that the crash leaves a process to end.
    if (owner && (daemon || !hasProcessTable())) return { left, at: { run, pid: owner.pid } }
  }
  return { left, at: undefined }
}

async function findCurrentStory(run: StoredRun): Promise<string | null | undefined> {
  return (await readEvents(run)).findLast(({ type, chore }) => type === 'attempt-started' && !chore)?.task
}
