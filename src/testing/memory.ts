import type { Clock } from '../ports/clock.ts'

export { memoryInbox } from '../adapters/stores/memory/inbox.ts'
export { memoryJournal } from '../adapters/stores/memory/journal.ts'

/** A fake clock: short sleeps return at once and are recorded, long ones last until their signal fires. */
export function fakeClock(longerThan = 10_000): Clock & { slept: number[]; pass(ms: number): void } {
  let time = 0
  const slept: number[] = []
  return {
    slept,
    pass: (ms) => {
      time += ms
    },
    now: () => time,
    elapsed: () => time,
    sleep: (ms, signal) => {
      if (signal.aborted) return Promise.reject(signal.reason)
      if (ms > longerThan) return new Promise((_, no) => signal.addEventListener('abort', () => no(signal.reason)))
      slept.push(ms)
      time += ms
      return Promise.resolve()
    },
  }
}
