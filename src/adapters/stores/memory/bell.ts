/** Wakes everybody who waits for something to change. */
export type Bell = {
  ring(): void
  /** Until the next ring, or until the signal fires. */
  wait(signal: AbortSignal): Promise<void>
}

export function newBell(): Bell {
  let next = Promise.withResolvers<void>()
  return {
    ring() {
      next.resolve()
      next = Promise.withResolvers()
    },
    async wait(signal) {
      if (signal.aborted) return
      const { promise: over, resolve } = Promise.withResolvers<void>()
      const end = (): void => resolve()
      signal.addEventListener('abort', end)
      await Promise.race([next.promise, over])
      signal.removeEventListener('abort', end)
    },
  }
}
