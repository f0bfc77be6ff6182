export type Clock = {
  /** Wall-clock milliseconds, for display and for waits that name a moment. */
  now(): number
  /** Monotonic milliseconds, for every budget. */
  elapsed(): number
  /** Contract: rejects as soon as the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
