export type Clock = {
  /** Wall-clock milliseconds, for display and for waits until a given time. */
  now(): number
  /** Monotonic milliseconds, for all time budgets. */
  elapsed(): number
  /** Contract: rejects when the signal fires and for no other reason; `Infinity` sleeps until the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

const minSliceMs = 15_000
const maxSlices = 10_000

/**
 * Waits until the wall clock reaches `moment`, at most `ms` by the monotonic clock. The monotonic clock stands still while the
 * machine sleeps, so the wall clock is read every 15 s. If it is set back, `ms` still ends the wait.
 */
export async function sleepUntil(clock: Clock, moment: number, ms: number, signal: AbortSignal): Promise<void> {
  const sliceMs = Math.max(minSliceMs, ms / maxSlices)
  let left = ms
  do {
    const slept = Math.min(left, sliceMs)
    await clock.sleep(slept, signal)
    left = Math.min(left - slept, moment - clock.now())
  } while (left > 0)
}
