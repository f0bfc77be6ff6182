import type { LoopEvent } from '../../contract/event.ts'
import type { Progress } from '../../contract/progress.ts'
import { linesOf } from '../../modes/procedure/show/lines.ts'
import { refineHeartbeat, refineLive } from '../../modes/refinement/show/live.ts'
import type { View } from '../../run/fold-run.ts'
import type { Subject } from '../../run/subject.ts'
import { createChatter } from './chatter.ts'
import type { Io } from './io.ts'
import { afterEvent, afterProgress, heartbeat, liveLines, type Now, type Watched } from './live.ts'

/** How a run is shown to a person while it goes on. */
export type Display = {
  event(event: LoopEvent, view: View<unknown>): void
  /** Everything up to here is safe: now it may be shown as done. */
  saved(): void
  progress(progress: Progress): void
  /** Takes away what is not finished. */
  close(): void
}

export type DisplayOptions = {
  readonly subject: Subject
  readonly live: boolean
  readonly verbose: boolean
  readonly heartbeatMs?: number
}

const redrawMs = 100
const clockMs = 1000
/** More than this unread, and whoever reads does not keep up. */
const mostUnread = 64 * 1024

/** Finished lines once and for good; below them what goes on, redrawn, or a line of it after a long silence. */
export function createDisplay(io: Pick<Io, 'out' | 'screen' | 'unread'>, options: DisplayOptions): Display {
  const { subject, live, verbose, heartbeatMs = 30_000 } = options
  const { refine } = subject
  const screen = live ? io.screen : undefined
  const pending: string[] = []
  const chatter = verbose ? createChatter() : undefined
  let watched: Watched | undefined
  let lastLine = performance.now()
  let due: NodeJS.Timeout | undefined

  const unwatch = screen?.onChange(soon)
  const tickMs = Math.min(clockMs, heartbeatMs / 4)
  const clock = setInterval(tick, tickMs)

  function out(line: string): void {
    io.out(line)
    lastLine = performance.now()
  }

  function tick(): void {
    // Not at the first tick after, but at the last one before.
    const silent = performance.now() - lastLine > heartbeatMs - tickMs
    if (!screen && silent && watched && !watched.state.ended)
      out(refine ? refineHeartbeat(watched, now(), refine) : heartbeat(watched, now()))
    soon()
  }

  /** However often it is called, it comes to ten times a second at most. */
  function soon(): void {
    if (screen || chatter) due ??= setTimeout(draw, redrawMs)
  }

  function draw(): void {
    due = undefined
    chat()
    showLive()
  }

  function showLive(): void {
    if (watched) screen?.show(refine ? refineLive(watched, now(), refine) : liveLines(watched, now()))
  }

  function chat(): void {
    const lines = chatter?.take(io.unread() > mostUnread) ?? []
    if (lines.length > 0) out(lines.join('\n'))
  }

  return {
    event: (event, view) => {
      watched = afterEvent(watched, event, view.state, performance.now())
      pending.push(...linesOf(event, view, subject))
      soon()
    },
    saved: () => {
      chat()
      if (pending.length > 0) showLive()
      for (const line of pending.splice(0)) out(line)
    },
    progress: (progress) => {
      if (watched) watched = afterProgress(watched, progress, performance.now())
      chatter?.hear(progress)
      soon()
    },
    close: () => {
      clearInterval(clock)
      clearTimeout(due)
      unwatch?.()
      chat()
      screen?.show([])
    },
  }
}

const now = (): Now => ({ at: Date.now(), ms: performance.now() })

/** Escape sequences only for a terminal that knows them, and for a person who wants them. */
export function mayRedraw(env: NodeJS.ProcessEnv, options: Readonly<Record<string, unknown>>): boolean {
  const plain = options.plain === true || options.quiet === true
  return !plain && !isOn(env.ACCESSIBLE) && !isOn(env.CI) && Boolean(env.TERM) && env.TERM !== 'dumb'
}

/** Inside tmux or screen the words would reach nobody, and the console of Linux would print them. */
export const knowsNotifications = ({ TMUX, STY, TERM = '' }: NodeJS.ProcessEnv): boolean =>
  !TMUX && !STY && !/^(?:tmux|screen|linux)/.test(TERM)

const isOn = (value: string | undefined): boolean => Boolean(value) && value !== '0' && value !== 'false'
