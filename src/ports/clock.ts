export type Clock = {
  /** Wall-clock milliseconds, for display and for waits that name a moment. */
  now(): number
  /** Monotonic milliseconds, for every budget. */
  elapsed(): number
  /** Contract: rejects as soon as the signal fires, and for no other reason; `Infinity` sleeps until then. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
