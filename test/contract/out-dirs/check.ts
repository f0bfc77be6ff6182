import * as fs from 'node:fs'
import { join } from 'node:path'
import type { LoopEvent } from '../../../src/contract/event.ts'
import { type DeliveryRun, RunRequest } from '../../../src/contract/request.ts'
import type { Left, View } from '../../../src/kernel/policy.ts'
import { foldEvents } from '../../../src/kernel/step.ts'
import type { DeliveryResult } from '../../../src/modes/delivery/contract/result.ts'
import type { DeliveryMemo } from '../../../src/modes/delivery/core/memo.ts'
import { deliveryReasons } from '../../../src/modes/delivery/core/reasons.ts'
import { deliveryResult } from '../../../src/modes/delivery/core/result.ts'
import { deliveryPolicyOf } from '../../../src/modes/delivery/mode.ts'
import { plansOf } from '../../../src/modes/delivery/start/plans.ts'
import { NotSavedError } from '../../../src/ports/journal.ts'
import { exitOf } from '../../../src/run/exit-of.ts'
import { eventsOf } from '../../../src/run/read-run.ts'

export const readJson = (path: string): unknown => JSON.parse(fs.readFileSync(path, 'utf8'))

/** Only runs that were started have one. */
export const hasRun = (dir: string): boolean => fs.existsSync(join(dir, 'request.json'))

export const requestIn = (dir: string): DeliveryRun =>
  RunRequest.parse(readJson(join(dir, 'request.json'))) as DeliveryRun

/** What the journal alone makes of a run, with events behind it that could have followed. */
export function projected(dir: string, signal?: string, ...more: LoopEvent[]): DeliveryResult {
  const request = requestIn(dir)
  const events = [...eventsOf(dir), ...more]
  const view = foldEvents(events, deliveryPolicyOf(request, dir))
  const last = events.at(-1)!
  const left: Left<DeliveryMemo> = { ...waysToLeave(last, view, dir), view }
  const by = signal ?? (last.type === 'run-interrupted' ? last.by : undefined)
  const plan = plansOf(dir).get(view.memo.plan)!
  return deliveryResult({ run: request.run_id, plan, left, exit: exitOf(deliveryReasons, left, by), sandbox: 'none' })
}

function waysToLeave(last: LoopEvent, { state }: View<DeliveryMemo>, dir: string) {
  if (state.ended) return { status: 'ended' } as const
  if (last.type === 'run-interrupted') return { status: 'interrupted' } as const
  if (state.question) return { status: 'waiting' } as const
  const { error } = readJson(join(dir, 'result.json')) as DeliveryResult
  return { status: 'unsaved', error: new NotSavedError(error?.message ?? '') } as const
}
