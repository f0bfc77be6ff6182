import { stripVTControlCharacters } from 'node:util'
import type { Standing } from '../contract/show.ts'
import type { Spend } from './spend.ts'

/** 45.2s, 4m30s, 3h05m: the format of seed 002. */
export function formatDuration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}s`
  const seconds = Math.round(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours === 0) return `${minutes}m${String(seconds % 60).padStart(2, '0')}s`
  return `${hours}h${String(minutes).padStart(2, '0')}m`
}

/** 45s, 1m30s, 3h05m: for durations that update, in full seconds. */
export function formatTicking(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return seconds < 60 ? `${seconds}s` : formatDuration(seconds * 1000)
}

/** Time of day, in local time. */
export const formatClockTime = (at: number): string => new Date(at).toTimeString().slice(0, 8)

/** Date and time to the minute, in local time. Show `formatZone` once beside it. */
export function formatMoment(at: number | string | undefined): string {
  const date = new Date(at ?? Number.NaN)
  if (Number.isNaN(date.getTime())) return '-'
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The name of the local time zone at a moment: UTC, UTC+1, EST. */
export function formatZone(at: number | string | undefined): string {
  const date = new Date(at ?? Number.NaN)
  const shown = Number.isNaN(date.getTime()) ? new Date(0) : date
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'short' }).formatToParts(shown)
  return (parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'local time').replace(/^GMT/, 'UTC')
}

export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** "failed: reached max iterations", "is running": the predicate of a sentence about a run. `says` is `Report.says`. */
export function formatStanding(standing: Standing, says: string): string {
  switch (standing) {
    case 'queued':
    case 'running':
    case 'waiting':
      return `is ${says}`
    case 'interrupted':
      return `was ${says}`
    case 'cancelled':
      return says.startsWith('cancelled') ? `was ${says}` : `was cancelled: ${says}`
    case 'blocked':
      return `is blocked: ${says}`
    case 'crashed':
    case 'completed':
    case 'failed':
      return `${standing}: ${says}`
  }
}

export const formatAmount = (count: number): string => count.toLocaleString('en')

/** "3 of 3 iterations, 1,200 tokens, $0.02 of $2.00, 4m30s active". "at least" if some usage was not reported, "~" if some of it is an estimate. */
export function formatSpend(spend: Spend): string {
  const of = (bound: number | null, show: (n: number) => string): string => (bound === null ? '' : ` of ${show(bound)}`)
  const parts = [
    spend.attempts.of === null
      ? `${spend.tasks.used}${of(spend.tasks.of, String)} ${spend.tasks.of === 1 ? 'iteration' : 'iterations'}`
      : `${spend.attempts.used} of ${formatCount(spend.attempts.of, 'attempt')}`,
  ]
  const mark = `${spend.tokens.atLeast ? 'at least ' : ''}${spend.tokens.estimated ? '~' : ''}`
  if (spend.tokens.used || spend.tokens.of !== null) {
    parts.push(`${mark}${formatAmount(spend.tokens.used)}${of(spend.tokens.of, formatAmount)} tokens`)
  }
  if (spend.costUsd.used || spend.costUsd.of !== null) {
    parts.push(`${mark}$${spend.costUsd.used.toFixed(2)}${of(spend.costUsd.of, (n) => `$${n.toFixed(2)}`)}`)
  }
  parts.push(`${formatDuration(spend.activeMs.used)}${of(spend.activeMs.of, formatDuration)} active`)
  if (spend.waitMs.used) parts.push(`${formatDuration(spend.waitMs.used)} waiting`)
  return parts.join(', ')
}

/** Quotes a word for a shell, if it needs quotes. */
export const quoteShell = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** Escapes line breaks, so that untrusted text cannot imitate a line of output, and truncates it. */
export function toOneLine(text: string, maxLength: number): string {
  const line = text.trimEnd().replace(/\r?\n/g, '\\n').replace(/\t/g, ' ')
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line
}

const maxOutputLength = 2000

/** Formats output of an agent or a command as part of one line: without colours, truncated. */
export function formatOutputLine(text: string): string {
  const start = text.length > maxOutputLength ? `${text.slice(0, maxOutputLength)}…` : text
  return stripVTControlCharacters(start).replace(/\s+/g, ' ').trim()
}
