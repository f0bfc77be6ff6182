/** Delay until SIGTERM and until SIGKILL, both counted from the first SIGINT. */
export type Ladder = { readonly termMs: number; readonly killMs: number }

export type StopReason = 'timed-out' | 'silent' | 'stopped'

export type StopOptions = {
  readonly ladder: Ladder
  readonly wallMs: number | undefined
  readonly silenceMs: number | undefined
  readonly send: (signal: NodeJS.Signals) => void
  /** On abort, sends SIGKILL immediately, even if the ladder has begun. */
  readonly kill: AbortSignal | undefined
}

export type Stopper = {
  /** Call on any output: restarts the silence timeout. */
  heard(): void
  /** The first reason for stopping the process, or null. */
  reason(): StopReason | null
  close(): void
}

/** Stops a process on timeout, on silence or on abort: SIGINT, then SIGTERM, then SIGKILL. */
export function createStopper({ ladder, wallMs, silenceMs, send, kill }: StopOptions, signal: AbortSignal): Stopper {
  let reason: StopReason | null = null
  const timers: NodeJS.Timeout[] = []
  const silence = silenceMs === undefined ? null : after(silenceMs, () => stop('silent'))
  if (wallMs !== undefined) after(wallMs, () => stop('timed-out'))
  kill?.addEventListener('abort', onKill)
  signal.addEventListener('abort', onAbort)
  if (kill?.aborted) onKill()
  else if (signal.aborted) onAbort()

  function after(ms: number, effect: () => void): NodeJS.Timeout {
    const timer = setTimeout(effect, Math.min(ms, maxTimerMs))
    timers.push(timer)
    return timer
  }

  function onAbort(): void {
    stop('stopped')
  }

  function onKill(): void {
    reason ??= 'stopped'
    send('SIGKILL')
  }

  function stop(why: StopReason): void {
    if (reason) return
    reason = why
    ask('SIGINT')
    after(ladder.termMs, () => ask('SIGTERM'))
    after(ladder.killMs, () => send('SIGKILL'))
  }

  /** Sends SIGCONT too, because a suspended process must continue before it can exit. */
  function ask(name: NodeJS.Signals): void {
    send(name)
    send('SIGCONT')
  }

  function close(): void {
    kill?.removeEventListener('abort', onKill)
    signal.removeEventListener('abort', onAbort)
    for (const timer of timers) clearTimeout(timer)
  }

  function heard(): void {
    if (!reason) silence?.refresh()
  }

  return { heard, reason: () => reason, close }
}

/** Node fires a longer timer immediately. */
const maxTimerMs = 2 ** 31 - 1
