import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoopEvent } from '../../contract/event.ts'
import type { Ref } from '../../contract/values.ts'
import { DeliveryResult } from '../../modes/delivery/contract/result.ts'
import { eventsOf } from '../../run/read-run.ts'
import { recordOf } from '../../show/report/told.ts'

type AttemptRead = {
  readonly agentSaid: string
  readonly prompt: string
  readonly exitCode: unknown
  readonly before: unknown
  readonly tree: unknown
  readonly verdict: Extract<LoopEvent, { type: 'verdict-reached' }>['verdict'] | undefined
}

/** One attempt, from the journal and the files that it names. */
export function attemptIn(dir: string, task: string, attempt: number): AttemptRead {
  const events = [...eventsOf(dir)].filter((event) => event.task === task && event.attempt === attempt)
  const of = <Type extends LoopEvent['type']>(type: Type) =>
    events.find((event): event is Extract<LoopEvent, { type: Type }> => event.type === type)
  const outcome = of('attempt-ended')?.outcome
  const { exitCode, before, tree } = recordOf(outcome?.data)
  const agentSaid = textOf(dir, outcome?.output)
  const prompt = textOf(dir, of('call-ended')?.call.output)
  return { agentSaid, prompt, exitCode, before, tree, verdict: of('verdict-reached')?.verdict }
}

export const textOf = (dir: string, ref: Ref | undefined): string =>
  ref ? readFileSync(join(dir, ref.path), 'utf8') : ''

export const readResult = (dir: string): DeliveryResult =>
  DeliveryResult.parse(JSON.parse(readFileSync(join(dir, 'result.json'), 'utf8')))
