import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { z } from 'zod'
import { capture } from '../../adapters/shell/capture.ts'
import { allPids, carriesMark, isAlive, type Process, readProcess } from '../../adapters/shell/processes.ts'
import type { LoopEvent } from '../../contract/event.ts'
import type { Ref } from '../../contract/values.ts'
import { createSafeCapture, openPrograms } from '../../machine/programs.ts'
import type { RunStore, StoredRun } from '../../ports/run-store.ts'

/** Where to check the claims, and facts that cannot be read back later: running processes and exit codes. */
export type Evidence = {
  readonly repository: string
  /** Paths of the two plans. */
  readonly plans: readonly [string, string]
  /** The commit before the delivery. */
  readonly first: string
  /** `dir` is the address of the run. */
  readonly run: { readonly id: string; readonly dir: string } | undefined
  /** Exit codes of the demo's own test run and of `pawl fsck`. */
  readonly exits: { readonly tests: number | null; readonly fsck: number | null }
  /** Only with the scripted agent. */
  readonly misbehaviour?: Misbehaviour
  readonly novel?: Novel
}

export type Novel = {
  readonly repository: string
  /** The commit before the iteration. */
  readonly first: string
  /** Of each file just before the iteration. */
  readonly hashes: Readonly<Record<string, string>>
  readonly run: Evidence['run']
}

export type Misbehaviour = {
  /** The process that the agent of S2 left behind, and whether it had ended when S3 was running. */
  readonly straggler: { readonly process: Process; readonly ended: boolean } | undefined
  readonly crash: Crash | undefined
}

/** The state when pawl was killed during S3. */
export type Crash = {
  readonly pid: number
  readonly signal: string | null
  /** The last event on disk, and the commits of the branch. */
  readonly seq: number
  readonly commits: readonly string[]
  /** The agent and its child processes, and how many of them outlived pawl. */
  readonly running: readonly Process[]
  readonly survivors: number
}

export type Claim = { readonly says: string; readonly holds: boolean; readonly found: string }

/** A claim and the function that checks it. */
export type Check = {
  readonly says: string
  readonly check: () => Promise<Found> | Found
}
type Found = readonly [holds: boolean, found: string]

/** Checks a claim. One that cannot be checked is false. */
export async function checkClaim({ says, check }: Check): Promise<Claim> {
  try {
    const [holds, found] = await check()
    return { says, holds, found }
  } catch (error) {
    return { says, holds: false, found: (error as Error).message }
  }
}

/** Runs git in the demo's repository, without showing the command. */
export async function askGit(repository: string, ...words: string[]): Promise<string> {
  const programs = openPrograms({ env: process.env, home: homedir() }, repository)
  const answer = await createSafeCapture(
    programs,
    capture,
  )({
    argv: ['git', '--no-optional-locks', ...words],
    cwd: repository,
    env: { HOME: '/', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    maxBytes: 1 << 20,
    timeoutMs: 20_000,
  })
  if ('problem' in answer) throw new Error(answer.problem)
  if (answer.code !== 0) throw new Error(`git ${words[0]} failed (exit ${answer.code}): ${answer.stderrTail.trim()}`)
  return answer.stdout.toString('utf8').trim()
}

/** Lists the commits of the branch, oldest first. */
export const listCommits = async (repository: string): Promise<string[]> =>
  (await askGit(repository, 'rev-list', '--reverse', 'HEAD')).split('\n')

/** False on macOS, which has no /proc. */
export const hasProcessTable = (): boolean => allPids().length > 0

/** Lists the live processes of a run: its agents and their child processes. */
export function listProcesses(run: string): Process[] {
  return allPids()
    .filter((pid) => carriesMark(pid, `PAWL_SCOPE=${run}`))
    .flatMap((pid) => readProcess(pid) ?? [])
    .filter(isAlive)
}

/** Lists the processes that the scripted agent leaves behind. */
export const listDaemons = (run: string): Process[] =>
  listProcesses(run).filter(({ pid }) => readProgram(pid) === 'sleep')

function readProgram(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0', 1)[0]
  } catch {
    return undefined
  }
}

/** Opens the run of a delivery or an iteration. Throws if there is none. */
export async function openEvidence(store: Pick<RunStore, 'open'>, { run }: Pick<Evidence, 'run'>): Promise<StoredRun> {
  const stored = run && (await store.open(run.dir))
  if (!stored) throw new Error('there is no run')
  return stored
}

export async function readEvents(run: StoredRun): Promise<LoopEvent[]> {
  const { events } = await run.read()
  const all: LoopEvent[] = []
  for await (const page of events) all.push(...page)
  return all
}

type Attempt = {
  readonly agentSaid: string
  readonly prompt: string
  readonly exitCode: unknown
  /** Git trees before and after the attempt. */
  readonly before: unknown
  readonly tree: unknown
  readonly verdict: Extract<LoopEvent, { type: 'verdict-reached' }>['verdict'] | undefined
}

/** Reads one attempt from the journal and its artifacts. */
export async function readAttempt(run: StoredRun, task: string, attempt: number): Promise<Attempt> {
  const events = (await readEvents(run)).filter((event) => event.task === task && event.attempt === attempt)
  const find = <Type extends LoopEvent['type']>(type: Type) =>
    events.find((event): event is Extract<LoopEvent, { type: Type }> => event.type === type)
  const outcome = find('attempt-ended')?.outcome
  const { exitCode, before, tree } = AttemptData.parse(outcome?.data ?? {})
  const agentSaid = await readText(run, outcome?.output)
  const prompt = await readText(run, find('call-ended')?.call.output)
  return { agentSaid, prompt, exitCode, before, tree, verdict: find('verdict-reached')?.verdict }
}

export async function readText({ content }: StoredRun, ref: Ref | undefined): Promise<string> {
  return ref ? Buffer.from(await content.get(ref)).toString('utf8') : ''
}

/** Loose, like any other reader of `result.json`: there may be more fields. */
const Result = z.looseObject({
  status: z.string(),
  summary: z.looseObject({ completed: z.number() }),
  stories: z.array(
    z.looseObject({
      id: z.string(),
      tampering: z.array(z.looseObject({ kind: z.string(), path: z.string(), attempt: z.number() })).default([]),
    }),
  ),
  run_verification: z.string(),
})

export const readResult = async (run: StoredRun): Promise<z.infer<typeof Result>> =>
  Result.parse(await run.kept('result'))

const AttemptData = z.looseObject({ exitCode: z.unknown(), before: z.unknown(), tree: z.unknown() }).partial()
