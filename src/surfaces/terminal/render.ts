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
  formatZone,
  quoteShell,
} from '../../show/format.ts'
import type { Io } from './io.ts'
import { joinTexts, type Text } from './styled.ts'
import { wrapText } from './table.ts'

/** Context for rendering. `run` is the run for actions that name none; without it they mean the newest run. */
export type Rendering = {
  /** The name the program was called by. */
  readonly program: string
  readonly cwd: string
  readonly now: number
  readonly run?: string | undefined
  /** Rendered again every second, so durations are in full seconds. */
  readonly ticks?: true
  /** The columns of the terminal. Without it, tables are as wide as needed. */
  readonly width?: number | undefined
  /** Styles the status of runs and gates. */
  readonly colour?: boolean | undefined
}

/** Creates the context for the current call and time. With `io`, the result fits its terminal. */
export const createRendering = (
  { machine: { environment } }: Program,
  run?: string,
  io?: Pick<Io, 'width' | 'colour'>,
): Rendering => ({
  program: environment.program,
  cwd: environment.cwd,
  now: Date.now(),
  run,
  ...(io && { width: io.width(), colour: io.colour }),
})

/** Renders a line as text. Escapes line breaks in values, so that no value can fake a line of output. */
export const renderLine = (line: Line, rendering: Rendering): string =>
  line.map((span) => renderSpan(span, rendering).replace(/\r?\n/g, '\\n')).join('')

const statusLooks = { good: 'green', bad: 'red', warning: 'yellow' } as const

/** Renders a line with the colours of its status, if the rendering has colours. */
export function renderText(line: Line, rendering: Rendering): Text {
  if (!rendering.colour) return renderLine(line, rendering)
  return joinTexts(
    line.map((span) => {
      const text = renderLine([span], rendering)
      const look = typeof span === 'object' && span.is in statusLooks ? statusLooks[span.is as 'good'] : undefined
      return look ? [{ text, look }] : text
    }),
  )
}

/** Renders the lines of an event, each after the time of the event. Dates have their zone, because no heading names it. */
export const renderEventLines = (event: LoopEvent, lines: readonly Line[], rendering: Rendering): Text[] =>
  lines.flatMap((line) => {
    const dated = line.flatMap((span): Span[] => (isDate(span) ? [span, ' ', { is: 'zone', at: span.at }] : [span]))
    const time = `[${formatClockTime(event.at)}] `
    const width = (rendering.width ?? 0) < minWrapped ? undefined : rendering.width
    return fitLine([time, ...dated], { ...rendering, width, now: event.at }, ' '.repeat(time.length))
  })

/** In a narrower terminal, indented lines would waste half of it. */
const minWrapped = 40

/** Wraps a long line at words, indented like its start. Commands and paths stay whole: they are there to be copied. */
export function fitLine(line: Line, rendering: Rendering, indent = ''): Text[] {
  const text = renderText(line, rendering)
  const isCopied = line.some((span) => typeof span === 'object' && (span.is === 'action' || span.is === 'path'))
  if (rendering.width === undefined || isCopied || typeof text !== 'string') return [text]
  const [start] = /^ */.exec(text)!
  const hang = `${start}${indent}`
  return wrapText(text.slice(start.length), rendering.width - hang.length).map((part, index) =>
    joinTexts([index === 0 ? start : hang, part]),
  )
}

const isDate = (span: Span): span is Extract<Span, { at: number }> => typeof span === 'object' && span.is === 'at'

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
      return formatMoment(span.at)
    case 'zone':
      return formatZone(span.at)
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

/** Returns the path relative to `cwd` if it is inside, else unchanged. */
export function shortPath(path: string, cwd: string): string {
  if (!isAbsolute(path)) return path
  const inside = relative(cwd, path)
  return inside === '' || inside.startsWith('..') ? path : inside
}

/** Renders an action as the command line to type. */
export function renderAction(action: Action, { program, run }: Pick<Rendering, 'program' | 'run'>): string {
  if (action.do === 'command') return formatAction(action, program).map(quoteShell).join(' ')
  return formatAction({ ...action, ...(action.run === undefined && run !== undefined && { run }) }, program).join(' ')
}

const cells = 8

/** `tokens [##..|...] 31%`: the mark `|` is the soft bound. ASCII only, so that it can be redrawn in place. */
export function renderBar(bound: Bound): string {
  const { name, used, of, soft, unit } = bound
  const part = of > 0 ? used / of : 1
  // Any use fills a cell; all cells are filled only when the bound is used up.
  const filled = part >= 1 ? cells : Math.min(cells - 1, Math.ceil(part * cells))
  const mark = soft === undefined ? -1 : Math.min(cells - 1, Math.floor((soft.from / of) * cells))
  const bar = Array.from({ length: cells }, (_, cell) => (cell === mark ? '|' : cell < filled ? '#' : '.')).join('')
  return `${name} [${bar}] ${unit === 'count' ? `${used}/${of}` : formatPercent(bound)}`
}

/** 100 % only when the bound is used up. */
function formatPercent({ used, of, atLeast }: Bound): string {
  const part = of > 0 ? used / of : 1
  const percent = part >= 1 ? 100 : Math.min(99, Math.round(part * 100))
  return `${atLeast ? '>=' : ''}${percent}%`
}

/** Returns a table row: how much is used, where the bound was set, and whether it ended the run. */
export function boundCells({ name, used, of, unit, soft, atLeast, estimated, setBy, fired }: Bound): string[] {
  const format = amounts[unit]
  const marked = soft === undefined ? '' : ` (${soft.says} from ${format(soft.from)})`
  const spent = `${atLeast ? 'at least ' : ''}${estimated ? '~' : ''}${format(used)} of ${format(of)}${marked}`
  return [name, spent, setBy ?? '', fired ? '<- ended it' : '']
}

const amounts: Readonly<Record<Bound['unit'], (value: number) => string>> = {
  count: String,
  tokens: formatAmount,
  ms: formatDuration,
  usd: (value) => (value > 0 && value < 0.005 ? '<$0.01' : `$${value.toFixed(2)}`),
}
