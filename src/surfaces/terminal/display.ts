import type { LoopEvent } from '../../contract/event.ts'
import type { Progress } from '../../contract/progress.ts'
import type { Line, Live } from '../../contract/show.ts'
import { formatClockTime, formatCount } from '../../show/format.ts'
import type { Io } from './io.ts'
import { oneLine } from './plain-text.ts'
import { type Rendering, renderBar, renderEventLines, renderLine } from './render.ts'
import type { StyledLine } from './screen.ts'

/** How a run is shown to a person while it goes on. */
export type Display = {
  /** What goes on at a moment, undefined while nothing does. Called once, before the first event. */
  live(at: (now: number) => Live | undefined): void
  event(event: LoopEvent, lines: readonly Line[]): void
  /** Everything up to here is safe: now it may be shown as done. */
  saved(): void
  progress(progress: Progress): void
  /** Takes away what is not finished. */
  close(): void
}

export type DisplayOptions = {
  readonly rendering: Omit<Rendering, 'now' | 'ticks'>
  /** Whether lines may be redrawn. */
  readonly redraws: boolean
  readonly verbose: boolean
  readonly heartbeatMs?: number
}

const redrawMs = 100
const clockMs = 1000
/** More than this unread, and whoever reads does not keep up. */
const mostUnread = 64 * 1024

/** Finished lines once and for good; below them what goes on, redrawn, or a line of it after a long silence. */
export function createDisplay(io: Pick<Io, 'out' | 'screen' | 'unread'>, options: DisplayOptions): Display {
  const { rendering, redraws, verbose, heartbeatMs = 30_000 } = options
  const screen = redraws ? io.screen : undefined
  const pending: string[] = []
  const heard = verbose ? createAgentOutput() : undefined
  let liveAt: (now: number) => Live | undefined = () => undefined
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
    const now = Date.now()
    const live = !screen && silent ? liveAt(now) : undefined
    if (live) out(`[${formatClockTime(now)}] ${plainLine(live.brief, { ...rendering, now, ticks: true })}`)
    soon()
  }

  /** However often it is called, it comes to ten times a second at most. */
  function soon(): void {
    if (screen || heard) due ??= setTimeout(draw, redrawMs)
  }

  function draw(): void {
    due = undefined
    printHeard()
    showLive()
  }

  function showLive(): void {
    const now = Date.now()
    const live = screen && liveAt(now)
    screen?.show(live ? renderLive(live, { ...rendering, now, ticks: true }) : [])
  }

  function printHeard(): void {
    const lines = heard?.take(io.unread() > mostUnread) ?? []
    if (lines.length > 0) out(lines.join('\n'))
  }

  return {
    live: (at) => {
      liveAt = at
    },
    event: (event, lines) => {
      pending.push(...renderEventLines(event, lines, { ...rendering, now: event.at }))
      soon()
    },
    saved: () => {
      printHeard()
      if (pending.length > 0) showLive()
      for (const line of pending.splice(0)) out(line)
    },
    progress: (progress) => {
      heard?.hear(progress)
      soon()
    },
    close: () => {
      clearInterval(clock)
      clearTimeout(due)
      unwatch?.()
      printHeard()
      screen?.show([])
    },
  }
}

/** What goes on at this moment, in lines of any length. */
export function renderLive({ doing, activity, bounds, note }: Live, rendering: Rendering): StyledLine[] {
  return [
    { text: plainLine(doing, rendering), look: 'bold' as const },
    ...(activity ? [{ text: plainLine(activity, rendering) }] : []),
    ...(bounds.length > 0 ? [{ text: bounds.map((bound) => oneLine(renderBar(bound))).join('  ') }] : []),
    ...(note ? [{ text: plainLine(note, rendering), look: 'dim' as const }] : []),
  ]
}

/** Agents are quoted here, so colours and line breaks of theirs are taken out. */
const plainLine = (line: Line, rendering: Rendering): string => oneLine(renderLine(line, rendering))

/** Escape sequences only for a terminal that knows them, and for a person who wants them. */
export function mayRedraw(
  env: Readonly<Record<string, string | undefined>>,
  options: Readonly<Record<string, unknown>>,
): boolean {
  const plain = options.plain === true || options.quiet === true
  return !plain && !isOn(env.ACCESSIBLE) && !isOn(env.CI) && Boolean(env.TERM) && env.TERM !== 'dumb'
}

/** Inside tmux or screen the words would reach nobody, and the console of Linux would print them. */
export const supportsNotifications = ({
  TMUX,
  STY,
  TERM = '',
}: Readonly<Record<string, string | undefined>>): boolean => !TMUX && !STY && !/^(?:tmux|screen|linux)/.test(TERM)

const isOn = (value: string | undefined): boolean => Boolean(value) && value !== '0' && value !== 'false'

/** Every line of an agent, as many as a person could read: the rest is counted. */
type AgentOutput = {
  hear(progress: Progress): void
  /** What was heard since the last time, to be printed now. `behind`: whoever reads does not keep up. */
  take(behind: boolean): string[]
}

const mostAtOnce = 20

/** Contract: costs the same for every line that is left out, however long, and holds a bounded number of others. */
export function createAgentOutput(): AgentOutput {
  const heard: Progress[] = []
  let leftOut = 0
  return {
    hear: (progress) => {
      // A model that writes has not always a whole line to show for it.
      if (progress.says === '') return
      if (heard.length < mostAtOnce) heard.push(progress)
      else leftOut++
    },
    take: (behind) => {
      if (behind) leftOut += heard.splice(0).length
      if (behind || (heard.length === 0 && leftOut === 0)) return []
      const lines = heard.splice(0).map(({ phase, says }) => `  | ${phase === 'gate' ? 'gate: ' : ''}${oneLine(says)}`)
      if (leftOut > 0) lines.push(`  | … ${formatCount(leftOut, 'line')} left out`)
      leftOut = 0
      return lines
    },
  }
}
