/** Wakes all waiters when something changes. */
type Bell = {
  ring(): void
  /** Resolves on the next ring or on abort. */
  wait(signal: AbortSignal): Promise<void>
}

export function createBell(): Bell {
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
