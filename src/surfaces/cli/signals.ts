import { killNow } from '../../app/kill-now.ts'

export type Stops = {
  readonly soft: AbortSignal
  readonly hard: AbortSignal
  close(): void
}

const patienceMs = 12_000
const oneGestureMs = 250

/**
 * First Ctrl-C: what runs may finish within 12 s, then it is ended. Second: kill now. Third: leave at once, the next
 * start repairs. SIGTERM and SIGHUP act as the second, since supervisors kill after 10 s.
 */
export function listenForSignals(say: (text: string) => void): Stops {
  const soft = new AbortController()
  const hard = new AbortController()
  let presses = 0
  let lastPress = Number.NEGATIVE_INFINITY
  let patience: NodeJS.Timeout | undefined

  const interrupt = (): void => {
    const now = performance.now()
    if (now - lastPress < oneGestureMs) return
    lastPress = now
    presses++
    if (presses === 1) {
      say('Stopping after this phase; Ctrl-C again stops it now.')
      soft.abort('SIGINT')
      patience = setTimeout(() => hard.abort('SIGINT'), patienceMs)
    } else if (presses === 2) hard.abort(killNow('SIGINT'))
    else process.exit(130)
  }
  const end = (signal: NodeJS.Signals): void => {
    hard.abort(killNow(signal))
  }
  process.on('SIGINT', interrupt).on('SIGTERM', end).on('SIGHUP', end)
  return {
    soft: soft.signal,
    hard: hard.signal,
    // The process is about to end; until it has, another Ctrl-C still counts.
    close: () => clearTimeout(patience),
  }
}
