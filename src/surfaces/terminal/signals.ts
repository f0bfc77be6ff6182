import { readFileSync } from 'node:fs'

export type Stops = {
  readonly soft: AbortSignal
  readonly hard: AbortSignal
  readonly now: AbortSignal
  close(): void
}

const patienceMs = 12_000
const oneGestureMs = 250

/**
 * First Ctrl-C: what runs may finish within 12 s, then it is ended. Second: kill now. Third: leave at once, the next
 * start repairs. SIGTERM and SIGHUP act as the second, since supervisors kill after 10 s.
 */
export function listenForSignals(say: (text: string) => void): Stops {
  const [soft, hard, now] = [new AbortController(), new AbortController(), new AbortController()]
  let presses = 0
  let lastPress = Number.NEGATIVE_INFINITY
  let patience: NodeJS.Timeout | undefined
  let closed = false

  const interrupt = (): void => {
    const at = performance.now()
    if (at - lastPress < oneGestureMs) return
    lastPress = at
    presses++
    if (closed || presses > 2) process.exit(130)
    if (presses === 2) end('SIGINT')
    else {
      say('Stopping after this step; Ctrl-C again stops it now.')
      soft.abort('SIGINT')
      patience = setTimeout(() => hard.abort('SIGINT'), patienceMs)
    }
  }
  const end = (signal: NodeJS.Signals): void => {
    if (closed) process.exit(signal === 'SIGHUP' ? 129 : 143)
    hard.abort(signal)
    now.abort(signal)
  }
  process.on('SIGINT', interrupt).on('SIGTERM', end)
  if (!ignoresHangup()) process.on('SIGHUP', end)
  return {
    soft: soft.signal,
    hard: hard.signal,
    now: now.signal,
    // The process is about to end; until it has, another signal ends it at once.
    close: () => {
      clearTimeout(patience)
      closed = true
    },
  }
}

/** Started with nohup: listening would undo it. */
function ignoresHangup(): boolean {
  try {
    const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return mask !== undefined && (BigInt(`0x${mask}`) & 1n) === 1n
  } catch {
    return false
  }
}
