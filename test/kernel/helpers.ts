import { setImmediate as turn } from 'node:timers/promises'
import type { Work } from '../../src/kernel/run.ts'
import { memoryJournal } from '../../src/testing/memory.ts'
import { go } from './harness.ts'
import { procedure } from './policies.ts'

export const once = procedure({ tasks: 1 })
export const passing: Work<null> = {
  attempt: async () => ({ status: 'ok' }),
  evaluate: async () => ({ status: 'passed' }),
}
export const stoppable = () => {
  const [soft, hard] = [new AbortController(), new AbortController()]
  return { soft, hard, stop: { soft: soft.signal, hard: hard.signal } }
}
export const aborted = (signal: AbortSignal) =>
  new Promise<void>((yes) => signal.addEventListener('abort', () => yes()))
/** The provider is limited until the given moment, once. */
export const limited = (retryAt: number): Work<null> => {
  let tries = 0
  return { ...passing, attempt: async () => (tries++ ? { status: 'ok' } : { status: 'unavailable', retryAt }) }
}
/** Journal calls in order; a sync is noted when it has come back, not when it was asked for. */
export const watched = () => {
  const order: string[] = []
  const journal = memoryJournal()
  const { append } = journal
  journal.append = async (draft) => {
    order.push(draft.type)
    return append(draft)
  }
  journal.sync = async () => {
    await turn()
    order.push('synced')
  }
  return { order, journal }
}
export const outcomeOf = async (attempt: Work<null>['attempt'], caps = {}, extras = {}) =>
  (await go(procedure({ tasks: 1, ...caps }), { ...passing, attempt }, extras)).events.find(
    (e) => e.type === 'attempt-ended',
  )?.outcome

export function stopped(which: 'soft' | 'hard') {
  const controls = stoppable()
  controls[which].abort('SIGINT')
  return controls.stop
}
