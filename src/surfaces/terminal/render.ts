import { isAbsolute, relative } from 'node:path'
import type { LoopEvent } from '../../contract/event.ts'
import type { Action, Bound, Line, Span } from '../../contract/show.ts'
import type { Program } from '../../run/mode.ts'
import { formatAction } from '../../show/action.ts'
import {
  formatAmount,
  formatClockTime,
  formatDuration,
  formatMoment,
  formatTicking,
  quoteShell,
} from '../../show/format.ts'

/** Whom values are rendered for. `run` is the run that an action means which names none; without it the newest is meant. */
export type Rendering = {
  /** The name that the program was called by. */
  readonly program: string
  readonly cwd: string
  readonly now: number
  readonly run?: string | undefined
  /** It is rendered again every second, so that whole seconds are enough. */
  readonly ticks?: true
}

/** For whoever called the program, at this moment. */
export const createRendering = ({ machine: { environment } }: Program, run?: string): Rendering => ({
  program: environment.program,
  cwd: environment.cwd,
  now: Date.now(),
  run,
})

/** A line as text. Line breaks in a value are shown, so that no text can pose as a line of ours. */
export const renderLine = (line: Line, rendering: Rendering): string =>
  line.map((span) => renderSpan(span, rendering).replace(/\r?\n/g, '\\n')).join('')

/** The lines of an event, each behind the time of the event. */
export const renderEventLines = (event: LoopEvent, lines: readonly Line[], rendering: Rendering): string[] =>
  lines.map((line) => `[${formatClockTime(event.at)}] ${renderLine(line, { ...rendering, now: event.at })}`)

function renderSpan(span: Span, rendering: Rendering): string {
  if (typeof span === 'string') return span
  switch (span.is) {
    case 'strong':
    case 'muted':
    case 'good':
    case 'bad':
    case 'warning':
    case 'code':
      return span.text
    case 'at':
      return `${formatMoment(span.at)} UTC`
    case 'clock':
      return formatClockTime(span.at).slice(0, 5)
    case 'since':
      return formatLength(rendering.now - span.at, rendering)
    case 'until':
      return formatLength(span.at - rendering.now, rendering)
    case 'duration':
      return formatDuration(span.ms)
    case 'path':
      return shortPath(span.path, rendering.cwd)
    case 'action':
      return renderAction(span.action, rendering)
  }
}

const formatLength = (ms: number, { ticks }: Rendering): string =>
  ticks ? formatTicking(ms) : formatDuration(Math.max(0, ms))

/** A path as it is shortest from here. */
export function shortPath(path: string, cwd: string): string {
  if (!isAbsolute(path)) return path
  const inside = relative(cwd, path)
  return inside === '' || inside.startsWith('..') ? path : inside
}

/** The command that does it, as it would be typed. */
export function renderAction(action: Action, { program, run }: Pick<Rendering, 'program' | 'run'>): string {
  if (action.do === 'command') return formatAction(action, program).map(quoteShell).join(' ')
  return formatAction({ ...action, ...(action.run === undefined && run !== undefined && { run }) }, program).join(' ')
}

const cells = 8

/** `tokens [##..|...] 31%`: the mark is where something else happens. Letters alone, so that it is redrawn in place. */
export function renderBar(bound: Bound): string {
  const { name, used, of, soft, unit } = bound
  const part = of > 0 ? used / of : 1
  // What was begun shows, and only what is spent is full.
  const filled = part >= 1 ? cells : Math.min(cells - 1, Math.ceil(part * cells))
  const mark = soft === undefined ? -1 : Math.min(cells - 1, Math.floor((soft.from / of) * cells))
  const bar = Array.from({ length: cells }, (_, cell) => (cell === mark ? '|' : cell < filled ? '#' : '.')).join('')
  return `${name} [${bar}] ${unit === 'count' ? `${used}/${of}` : formatPercent(bound)}`
}

/** 99 is the most that is not all. */
function formatPercent({ used, of, atLeast }: Bound): string {
  const part = of > 0 ? used / of : 1
  const whole = part >= 1 ? 100 : Math.min(99, Math.round(part * 100))
  return `${atLeast ? '>=' : ''}${whole}%`
}

/** The same as a row of a table: how much is used, where the bound was set, and whether it ended the run. */
export function boundCells({ name, used, of, unit, soft, atLeast, setBy, fired }: Bound): string[] {
  const format = amounts[unit]
  const marked = soft === undefined ? '' : ` (${soft.says} from ${format(soft.from)})`
  const spent = `${atLeast ? 'at least ' : ''}${format(used)} of ${format(of)}${marked}`
  return [name, spent, setBy ?? '', fired ? '<- ended it' : '']
}

const amounts: Readonly<Record<Bound['unit'], (value: number) => string>> = {
  count: String,
  tokens: formatAmount,
  ms: formatDuration,
  usd: (value) => (value > 0 && value < 0.005 ? '<$0.01' : `$${value.toFixed(2)}`),
}
