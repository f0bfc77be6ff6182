import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../../../src/ports/clock.ts'

/** A clock on which waits are over at once. */
export function hurriedClock(): Clock {
  let ahead = 0
  return {
    now: () => Date.now() + ahead,
    elapsed: () => performance.now() + ahead,
    sleep: async (ms, signal) => {
      signal.throwIfAborted()
      if (ms === Number.POSITIVE_INFINITY) return untilAborted(signal)
      ahead += ms
      await nextTurn()
      signal.throwIfAborted()
    },
  }
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
