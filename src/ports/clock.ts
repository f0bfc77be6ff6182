export type Clock = {
  /** Wall-clock milliseconds, for display and for waits until a given time. */
  now(): number
  /** Monotonic milliseconds, for all time budgets. */
  elapsed(): number
  /** Contract: rejects when the signal fires and for no other reason; `Infinity` sleeps until the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
