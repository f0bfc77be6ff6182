import * as fs from 'node:fs'
import { join } from 'node:path'
import type { LoopEvent } from '../../../src/contract/event.ts'
import type { Left, View } from '../../../src/kernel/policy.ts'
import { foldEvents } from '../../../src/kernel/step.ts'
import type { DeliveryResult } from '../../../src/modes/delivery/contract/result.ts'
import type { DeliveryMemo } from '../../../src/modes/delivery/core/memo.ts'
import { deliveryReasons } from '../../../src/modes/delivery/core/reasons.ts'
import { buildDeliveryResult } from '../../../src/modes/delivery/core/result.ts'
import {
  currentPlan,
  deliveryReader,
  loadPlans,
  openDelivery,
} from '../../../src/modes/delivery/start/open-delivery.ts'
import { NotSavedError } from '../../../src/ports/journal.ts'
import { chooseExit } from '../../../src/run/errors.ts'
import { eventsAt, programAt, runAt } from '../../support/runs.ts'

export const readJson = (path: string): unknown => JSON.parse(fs.readFileSync(path, 'utf8'))

/** Only runs that were started have one. */
export const hasRun = (dir: string): boolean => fs.existsSync(join(dir, 'request.json'))

/** What the journal alone makes of a run, with events behind it that could have followed. */
export async function projected(dir: string, signal?: string, ...more: LoopEvent[]): Promise<DeliveryResult> {
  const program = programAt(dir)
  const run = (await openDelivery(program.machine, await runAt(dir, program)))!
  const plans = await loadPlans(run)
  const events = [...eventsAt(dir), ...more]
  const view = foldEvents(events, deliveryReader.policy(run.original, plans))
  const last = events.at(-1)!
  const left: Left<DeliveryMemo> = { ...waysToLeave(last, view, dir), view }
  const by = signal ?? (last.type === 'run-interrupted' ? last.by : undefined)
  return buildDeliveryResult({
    run: run.entry.id,
    plan: currentPlan(plans, view),
    left,
    exit: chooseExit(deliveryReasons, left, by),
    sandbox: 'none',
    notSaved: left.status === 'unsaved',
  })
}

function waysToLeave(last: LoopEvent, { state }: View<DeliveryMemo>, dir: string) {
  if (state.ended) return { status: 'ended' } as const
  if (last.type === 'run-interrupted') return { status: 'interrupted' } as const
  if (state.question) return { status: 'waiting' } as const
  const { error } = readJson(join(dir, 'result.json')) as DeliveryResult
  return { status: 'unsaved', error: new NotSavedError(error?.message ?? '') } as const
}
