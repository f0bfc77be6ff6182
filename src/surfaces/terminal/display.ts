import type { LoopEvent } from '../../contract/event.ts'
import type { Progress } from '../../contract/progress.ts'
import type { Line, Live } from '../../contract/show.ts'
import { formatClockTime, formatCount } from '../../show/format.ts'
import type { Io } from './io.ts'
import type { Typed } from './keys.ts'
import { oneLine, plainText } from './plain-text.ts'
import { type Rendering, renderBar, renderEventLines, renderLine } from './render.ts'
import { cutToWidth } from './screen.ts'
import { isOn, type StyledLine, type Text } from './styled.ts'

/** Shows a run to a person while it works. */
export type Display = {
  /** Sets the source of live lines; it returns undefined while nothing is active. Called once, before the first event. */
  live(at: (now: number) => Live | undefined): void
  event(event: LoopEvent, lines: readonly Line[]): void
  /** All events so far are on disk, so they may be printed. */
  saved(): void
  progress(progress: Progress): void
  /** Erases the live lines until the next change. */
  hide(): void
  /** Draws the live lines anew, soon. */
  redraw(): void
  close(): void
}

export type DisplayOptions = {
  readonly rendering: Omit<Rendering, 'now' | 'ticks'>
  /** Whether lines may be redrawn. */
  readonly redraws: boolean
  readonly verbose: boolean
  readonly heartbeatMs?: number
  /** Set if keys are read. `typed` returns the line that a person is typing; in the background no live lines are drawn. */
  readonly keys?: { typed(): Typed | undefined; isOpen(): boolean } | undefined
}

const redrawMs = 100
const clockMs = 1000
/** The reader counts as too slow above this many unread characters. */
const maxUnread = 64 * 1024

/** Prints finished lines once. Redraws live lines below them, or prints a heartbeat line where redrawing is off. */
export function createDisplay(io: Pick<Io, 'out' | 'screen' | 'unread' | 'width'>, options: DisplayOptions): Display {
  const { rendering, redraws, verbose, heartbeatMs = 30_000 } = options
  const screen = redraws ? io.screen : undefined
  const pending: Text[] = []
  const agentOutput = verbose ? createAgentOutput() : undefined
  let liveAt: (now: number) => Live | undefined = () => undefined
  let lastLine = performance.now()
  let due: NodeJS.Timeout | undefined

  const unwatch = screen?.onChange(soon)
  const tickMs = Math.min(clockMs, heartbeatMs / 4)
  const clock = setInterval(tick, tickMs)

  function out(line: Text): void {
    io.out(line)
    lastLine = performance.now()
  }

  function tick(): void {
    // At the last tick before the heartbeat is due, not the first one after.
    const silent = performance.now() - lastLine > heartbeatMs - tickMs
    const now = Date.now()
    const live = !screen && silent ? liveAt(now) : undefined
    if (live) out(`[${formatClockTime(now)}] ${plainLine(live.brief, { ...rendering, now, ticks: true })}`)
    soon()
  }

  /** Schedules a redraw, at most ten per second. */
  function soon(): void {
    if (screen || agentOutput) due ??= setTimeout(draw, redrawMs)
  }

  function draw(): void {
    due = undefined
    printAgentOutput()
    showLive()
  }

  function showLive(): void {
    const now = Date.now()
    const live = screen && liveAt(now)
    const lines = live ? renderLive(live, { ...rendering, now, ticks: true }) : []
    if (!options.keys) screen?.show(lines)
    else screen?.show(options.keys.isOpen() ? withKeys(lines, options.keys.typed(), io.width() ?? Infinity) : [])
  }

  function printAgentOutput(): void {
    const lines = agentOutput?.take(io.unread() > maxUnread) ?? []
    if (lines.length > 0) out(lines.join('\n'))
  }

  return {
    live: (at) => {
      liveAt = at
    },
    event: (event, lines) => {
      pending.push(...renderEventLines(event, lines, { ...rendering, now: event.at, width: io.width() }))
      soon()
    },
    saved: () => {
      printAgentOutput()
      if (pending.length > 0) showLive()
      for (const line of pending.splice(0)) out(line)
    },
    progress: (progress) => {
      agentOutput?.add(progress)
      soon()
    },
    hide: () => screen?.show([]),
    redraw: soon,
    close: () => {
      clearInterval(clock)
      clearTimeout(due)
      unwatch?.()
      printAgentOutput()
      screen?.show([])
    },
  }
}

/** Renders the current activity. Lines may have any length. */
export function renderLive({ doing, activity, bounds, note }: Live, rendering: Rendering): StyledLine[] {
  return [
    { text: plainLine(doing, rendering), look: 'bold' as const },
    ...(activity ? [{ text: plainLine(activity, rendering) }] : []),
    ...(bounds.length > 0 ? [{ text: bounds.map((bound) => oneLine(renderBar(bound))).join('  ') }] : []),
    ...(note ? [{ text: plainLine(note, rendering), look: 'dim' as const }] : []),
  ]
}

const maxLiveLines = 3

/** Adds the line that is being typed, or where to find the keys. The end of a long line is what a person wants to see. */
function withKeys(lines: readonly StyledLine[], typed: Typed | undefined, width: number): StyledLine[] {
  if (lines.length === 0) return []
  if (typed !== undefined) {
    const { is, text } = typed
    const end = text.length > maxTypedShown ? `…${text.slice(-maxTypedShown)}` : text
    return [...lines.slice(0, maxLiveLines - 1), { text: `${is} (Enter sends, Esc cancels): ${plainText(end)}_` }]
  }
  const [first, ...rest] = lines
  return [{ ...first!, text: `${cutToWidth(first!.text, width - keyHint.length - 1)}${keyHint}` }, ...rest]
}

const maxTypedShown = 30
const keyHint = '  (? for keys)'

/** Removes colours and line breaks, since the line may quote an agent. */
const plainLine = (line: Line, rendering: Rendering): string => oneLine(renderLine(line, rendering))

/** Whether lines may be redrawn: the terminal supports it and the person has not turned it off. */
export function mayRedraw(
  env: Readonly<Record<string, string | undefined>>,
  options: Readonly<Record<string, unknown>>,
): boolean {
  const plain = options.plain === true || options.quiet === true
  return !plain && !isOn(env.ACCESSIBLE) && !isOn(env.CI) && Boolean(env.TERM) && env.TERM !== 'dumb'
}

/** False in tmux and screen, which drop notifications, and on the Linux console, which prints them as text. */
export const supportsNotifications = ({
  TMUX,
  STY,
  TERM = '',
}: Readonly<Record<string, string | undefined>>): boolean => !TMUX && !STY && !/^(?:tmux|screen|linux)/.test(TERM)

/** Buffers agent output: as many lines as a person can read, and a count of the rest. */
type AgentOutput = {
  add(progress: Progress): void
  /** Returns the lines to print now. With `behind` (the reader is too slow) they are only counted. */
  take(behind: boolean): string[]
}

const maxLinesAtOnce = 20

/** Contract: holds a bounded number of lines; dropping a line costs the same, however long it is. */
export function createAgentOutput(): AgentOutput {
  const pending: Progress[] = []
  let leftOut = 0
  return {
    add: (progress) => {
      // A streaming model reports progress before its first line is complete.
      if (progress.says === '') return
      if (pending.length < maxLinesAtOnce) pending.push(progress)
      else leftOut++
    },
    take: (behind) => {
      if (behind) leftOut += pending.splice(0).length
      if (behind || (pending.length === 0 && leftOut === 0)) return []
      const lines = pending
        .splice(0)
        .map(({ phase, says }) => `  | ${phase === 'gate' ? 'gate: ' : ''}${oneLine(says)}`)
      if (leftOut > 0) lines.push(`  | … ${formatCount(leftOut, 'line')} left out`)
      leftOut = 0
      return lines
    },
  }
}
