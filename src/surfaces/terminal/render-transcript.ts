import { describeEntry, type TranscriptEntry } from '../../contract/transcript.ts'
import type { AttemptEnd, TranscriptPart } from '../../run/reports/transcript.ts'
import { formatClockTime, formatDuration, formatMoment, formatOutputLine, formatZone } from '../../show/format.ts'
import type { StyledLine } from './styled.ts'

/** Renders a part of a conversation for people. Tool calls are one line each; results are shortened to a few lines. */
export function renderTranscript(part: TranscriptPart): StyledLine[] {
  switch (part.is) {
    case 'attempt': {
      const { task, attempt, agent, startedAt } = part.of
      const when = `${formatMoment(startedAt)} ${formatZone(startedAt)}`
      return [{ text: `== ${task} attempt ${attempt}, ${agent}, ${when} ==`, look: 'bold' }]
    }
    case 'entry':
      return renderEntry(part.entry)
    case 'end':
      return [renderEnd(part.end)]
  }
}

function renderEntry(entry: TranscriptEntry): StyledLine[] {
  const time = entry.at === undefined ? '' : `[${formatClockTime(entry.at)}] `
  switch (entry.kind) {
    case 'message':
      return textLines(time, entry.text).map((text) => ({ text }))
    case 'thought':
      return textLines(`${time}(thinking) `, entry.text).map((text) => ({ text, look: 'dim' }))
    case 'output':
      return [{ text: `${time}| ${cut(entry.text)}` }]
    case 'tool-call':
      return [{ text: `${time}> ${formatOutputLine(describeEntry(entry))}` }]
    case 'tool-result': {
      const { lines, more } = firstLines(entry.text, shownResultLines)
      const shown = lines.length === 0 ? [entry.failed ? 'failed' : 'done'] : lines
      const texts = [...shown, ...(more > 0 ? [`… ${more} more ${more === 1 ? 'line' : 'lines'}`] : [])]
      return texts.map((text) => ({ text: `    ${text}`, look: entry.failed ? 'red' : 'dim' }))
    }
    case 'denied':
    case 'error':
      return [{ text: `${time}! ${formatOutputLine(describeEntry(entry))}`, look: 'red' }]
    // The end of the attempt names the total.
    case 'usage':
      return []
  }
}

function renderEnd({ status, detail, usage, ms }: AttemptEnd): StyledLine {
  const why = detail ? `: ${formatOutputLine(detail)}` : ''
  const spent = formatOutputLine(describeEntry({ kind: 'usage', usage }))
  const text = `== ${status}${why}; ${spent}; ${formatDuration(ms)} ==`
  return { text, look: status === 'ok' ? 'green' : 'red' }
}

const shownResultLines = 3
const maxLineLength = 500

/** The first line after `start`, the others indented below it. */
function textLines(start: string, text: string): string[] {
  const { lines } = firstLines(text, Number.POSITIVE_INFINITY)
  return lines.map((line, index) => `${index === 0 ? start : ' '.repeat(start.length)}${line}`)
}

function firstLines(text: string, count: number): { readonly lines: string[]; readonly more: number } {
  const all = text.trim() === '' ? [] : text.trimEnd().split(/\r?\n/)
  return { lines: all.slice(0, count).map(cut), more: Math.max(0, all.length - count) }
}

/** Keeps indentation, drops colours and anything after a few hundred characters. */
function cut(line: string): string {
  const indent = /^[ \t]{0,40}/.exec(line)![0].replaceAll('\t', '  ')
  const text = formatOutputLine(line)
  return `${indent}${text.length > maxLineLength ? `${text.slice(0, maxLineLength - 1)}…` : text}`
}
