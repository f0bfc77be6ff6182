/** Why a call was ended from this side. */
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
  /** A sign of life. */
  heard(): void
  /** What ended it from this side, if anything did. */
  ended(): { readonly stop?: Stop; readonly boundMs?: number | undefined }
  close(): void
}

export type Bounds = { readonly limitMs?: number | undefined; readonly silenceMs?: number | undefined }

/** One signal for all that ends a call: a person, the whole time, the longest silence. The first of them counts. */
export function createCallDeadline({ limitMs, silenceMs }: Bounds, outer: AbortSignal): CallDeadline {
  const controller = new AbortController()
  const end = (why: Stop) => (): void => controller.abort(new StopError(why))
  const stop = end('stopped')
  const whole = timer(limitMs, end('limit'))
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
      clearTimeout(whole)
      clearTimeout(silence)
      outer.removeEventListener('abort', stop)
    },
  }
}

/** A timer takes no more than 24 days; who wants longer wants none. */
const longestTimerMs = 2 ** 31 - 1

function timer(ms: number | undefined, fire: () => void): NodeJS.Timeout | undefined {
  return ms === undefined || ms > longestTimerMs ? undefined : setTimeout(fire, ms)
}
