import { z } from 'zod'
import type { LoopEvent } from '../../contract/event.ts'
import type { Ref } from '../../contract/values.ts'
import type { RunStore, StoredRun } from '../../ports/run-store.ts'
import type { Seen } from './seen.ts'

/** The run that a demo has left, as its store has it. Throws where there is none. */
export async function openSeen(store: Pick<RunStore, 'open'>, { run }: Seen): Promise<StoredRun> {
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
