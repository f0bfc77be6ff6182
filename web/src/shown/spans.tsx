import type { Line, Span } from '../../../src/contract/show.ts'
import { now as readNow, useNow } from '../clock.ts'
import { formatClock, formatDuration, formatMoment, formatTicking, formatUtc, formatZone } from '../format.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { formatCommand } from './command.ts'
import { useShownRun } from './run-context.ts'

type SpansProps = {
  readonly line: Line
  /** The moment that `since` and `until` are counted from. Absent: now, updated every second. */
  readonly at?: number
  /** One row of fixed height: no buttons, and line breaks are shown as characters. */
  readonly plain?: boolean
  /** Words to highlight. */
  readonly search?: string
}

/** Renders a line. Every text is a text node. */
export function Spans({ line, ...rest }: SpansProps) {
  return line.map((span, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a span is its place in the line
    <SpanView key={index} span={span} {...rest} />
  ))
}

type SpanProps = Omit<SpansProps, 'line'> & { readonly span: Span }

const classes = {
  strong: 'font-semibold',
  muted: 'text-ink-3',
  good: 'text-ok-ink',
  bad: 'text-bad-ink',
  warning: 'text-you-ink',
  code: 'mono-sm',
}

function SpanView({ span, at, plain = false, search }: SpanProps) {
  if (typeof span === 'string') return <Marked text={plain ? flatten(span) : span} search={search} />
  switch (span.is) {
    case 'strong':
    case 'muted':
    case 'good':
    case 'bad':
    case 'warning':
    case 'code':
      return (
        <span className={classes[span.is]}>
          <Marked text={plain ? flatten(span.text) : span.text} search={search} />
        </span>
      )
    case 'at':
      return <Time at={span.at} text={formatMoment(span.at, readNow())} />
    case 'clock':
      return <Time at={span.at} text={formatClock(span.at)} />
    case 'zone':
      return formatZone(span.at)
    case 'since':
    case 'until':
      return at === undefined ? <Ticking span={span} /> : formatDuration(lengthAt(span, at))
    case 'duration':
      return formatDuration(span.ms)
    case 'path':
      return <span className={plain ? '' : 'mono-sm'}>{span.path}</span>
    case 'action':
      return <Command action={span.action} plain={plain} />
  }
}

const flatten = (text: string): string => text.replace(/\r?\n/g, '↵ ')

type Moving = Extract<Span, { is: 'since' | 'until' | 'at' | 'clock' | 'zone' }>

const lengthAt = (span: Moving, at: number): number => Math.max(0, span.is === 'since' ? at - span.at : span.at - at)

function Ticking({ span }: { readonly span: Moving }) {
  return <Time at={span.at} text={formatTicking(lengthAt(span, useNow()))} />
}

export const Time = ({ at, text }: { readonly at: number; readonly text: string }) => (
  <time dateTime={new Date(at).toISOString()} title={formatUtc(at)}>
    {text}
  </time>
)

type CommandProps = { readonly action: Extract<Span, { is: 'action' }>['action']; readonly plain: boolean }

function Command({ action, plain }: CommandProps) {
  const { name } = useShownRun()
  const command = formatCommand(action, name)
  if (plain) return command
  return (
    <span className="inline-flex items-center gap-0.5 align-middle">
      <code className="mono-sm">{command}</code>
      <CopyButton text={command} label={`Copy the command: ${command}`} />
    </span>
  )
}

type MarkedProps = { readonly text: string; readonly search: string | undefined }

/** A text with the words that were searched for. */
function Marked({ text, search }: MarkedProps) {
  if (!search) return text
  const parts: { readonly from: number; readonly text: string; readonly isMatch: boolean }[] = []
  const [lower, wanted] = [text.toLowerCase(), search.toLowerCase()]
  let from = 0
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    parts.push({ from, text: text.slice(from, at), isMatch: false })
    parts.push({ from: at, text: text.slice(at, at + wanted.length), isMatch: true })
    from = at + wanted.length
  }
  parts.push({ from: text.length, text: text.slice(from), isMatch: false })
  return parts.map((part) =>
    part.isMatch ? <mark key={`m${part.from}`}>{part.text}</mark> : <span key={part.from}>{part.text}</span>,
  )
}
