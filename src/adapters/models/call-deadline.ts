/** Why we aborted a call. */
export type Stop = 'stopped' | 'limit' | 'silence'

class StopError extends Error {
  readonly why: Stop

  constructor(why: Stop) {
    super(why)
    this.why = why
  }
}

export type CallDeadline = {
  readonly signal: AbortSignal
  /** Call on any received data: restarts the silence timeout. */
  heard(): void
  /** Returns why we aborted the call, and the timeout that applied. Empty if we did not. */
  ended(): { readonly stop?: Stop; readonly boundMs?: number | undefined }
  close(): void
}

export type Bounds = { readonly limitMs?: number | undefined; readonly silenceMs?: number | undefined }

/** Combines the user's abort, the total timeout and the silence timeout into one signal. The first one counts. */
export function createCallDeadline({ limitMs, silenceMs }: Bounds, outer: AbortSignal): CallDeadline {
  const controller = new AbortController()
  const end = (why: Stop) => (): void => controller.abort(new StopError(why))
  const stop = end('stopped')
  const total = timer(limitMs, end('limit'))
  const silence = timer(silenceMs, end('silence'))
  outer.addEventListener('abort', stop, { once: true })
  if (outer.aborted) stop()
  return {
    signal: controller.signal,
    heard: () => void silence?.refresh(),
    ended: () => {
      const stop = (controller.signal.reason as StopError | undefined)?.why
      return stop ? { stop, boundMs: stop === 'limit' ? limitMs : silenceMs } : {}
    },
    close: () => {
      clearTimeout(total)
      clearTimeout(silence)
      outer.removeEventListener('abort', stop)
    },
  }
}

/** Node's timers are limited to 24 days. A longer timeout means none. */
const maxTimerMs = 2 ** 31 - 1

function timer(ms: number | undefined, fire: () => void): NodeJS.Timeout | undefined {
  return ms === undefined || ms > maxTimerMs ? undefined : setTimeout(fire, ms)
}
