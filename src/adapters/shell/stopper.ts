/** When the next step of the ladder comes, counted from its first. */
export type Ladder = { readonly termMs: number; readonly killMs: number }

export type StopReason = 'timed-out' | 'silent' | 'stopped'

export type StopOptions = {
  readonly ladder: Ladder
  readonly wallMs: number | undefined
  readonly silenceMs: number | undefined
  readonly send: (signal: NodeJS.Signals) => void
  /** Leaves no time for manners, also when the ladder has begun. */
  readonly kill: AbortSignal | undefined
}

export type Stopper = {
  /** The process gave a sign of life. */
  heard(): void
  /** Why the process was told to stop, if it was. The first reason stands. */
  reason(): StopReason | null
  close(): void
}

/** Tells a process to stop when its time is up, when it falls silent or on abort: INT, then TERM, then KILL. */
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
    const timer = setTimeout(effect, Math.min(ms, longestTimer))
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

  /** A process that has been halted must go on before it can end by itself. */
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

/** A longer timer would fire at once. */
const longestTimer = 2 ** 31 - 1
