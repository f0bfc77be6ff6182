import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { capture } from '../../adapters/shell/capture.ts'
import { allPids, carriesMark, isAlive, type Process, readProcess } from '../../adapters/shell/processes.ts'
import type { LoopEvent } from '../../contract/event.ts'
import type { Ref } from '../../contract/values.ts'
import type { RunStore, StoredRun } from '../../ports/run-store.ts'

/** Where to read back, and what cannot be: who ran when, how commands ended. */
export type Evidence = {
  readonly repository: string
  /** The two plans, as files. */
  readonly plans: readonly [string, string]
  /** The commit that the delivery began with. */
  readonly first: string
  /** `dir` is the address of the run. */
  readonly run: { readonly id: string; readonly dir: string } | undefined
  /** How the demo's own run of all tests and its check of the journal ended. */
  readonly exits: { readonly tests: number | null; readonly fsck: number | null }
  /** Of the scripted agent. */
  readonly misbehaviour?: Misbehaviour
}

export type Misbehaviour = {
  /** The process that the agent of S2 left behind, and whether it was gone when S3 was at work. */
  readonly straggler: { readonly process: Process; readonly ended: boolean } | undefined
  readonly crash: Crash | undefined
}

/** How things stood when pawl was killed in S3. */
export type Crash = {
  readonly pid: number
  readonly signal: string | null
  /** The last event on disk, and the commits of the branch. */
  readonly seq: number
  readonly commits: readonly string[]
  /** The agent and what it had started, and how many of them outlived pawl. */
  readonly running: readonly Process[]
  readonly survivors: number
}

export type Claim = { readonly says: string; readonly holds: boolean; readonly found: string }

/** How a claim is looked up: whether it holds, and what was found. */
export type Check = {
  readonly says: string
  readonly check: () => Promise<Found> | Found
}
type Found = readonly [holds: boolean, found: string]

/** Whatever cannot be looked up is false. */
export async function answer({ says, check }: Check): Promise<Claim> {
  try {
    const [holds, found] = await check()
    return { says, holds, found }
  } catch (error) {
    return { says, holds: false, found: (error as Error).message }
  }
}

/** Asks git about the demo's repository, for the demo itself. */
export async function askGit(repository: string, ...words: string[]): Promise<string> {
  const answer = await capture({
    argv: ['git', '--no-optional-locks', ...words],
    cwd: repository,
    env: { PATH: process.env.PATH ?? '', HOME: '/', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    maxBytes: 1 << 20,
    timeoutMs: 20_000,
  })
  if ('problem' in answer) throw new Error(answer.problem)
  if (answer.code !== 0) throw new Error(`git ${words[0]} exits with ${answer.code}: ${answer.stderrTail.trim()}`)
  return answer.stdout.toString('utf8').trim()
}

/** Of the branch, the oldest first. */
export const listCommits = async (repository: string): Promise<string[]> =>
  (await askGit(repository, 'rev-list', '--reverse', 'HEAD')).split('\n')

/** macOS has none that can be read like this. */
export const hasProcessTable = (): boolean => allPids().length > 0

/** Whatever carries a run's mark: its agents, and what they started. */
export function listProcesses(run: string): Process[] {
  return allPids()
    .filter((pid) => carriesMark(pid, `PAWL_SCOPE=${run}`))
    .flatMap((pid) => readProcess(pid) ?? [])
    .filter(isAlive)
}

/** What the scripted agent leaves behind. */
export const listDaemons = (run: string): Process[] =>
  listProcesses(run).filter(({ pid }) => readProgram(pid) === 'sleep')

function readProgram(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0', 1)[0]
  } catch {
    return undefined
  }
}

/** The run that a demo has left, as its store has it. Throws where there is none. */
export async function openEvidence(store: Pick<RunStore, 'open'>, { run }: Evidence): Promise<StoredRun> {
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
  /** Trees in git, before the attempt and after it. */
  readonly before: unknown
  readonly tree: unknown
  readonly verdict: Extract<LoopEvent, { type: 'verdict-reached' }>['verdict'] | undefined
}

/** One attempt, from the journal and the content that it names. */
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

/** As any other program would read it: `result.json` may have more fields. */
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
