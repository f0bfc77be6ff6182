import type { Bound, Card, Line } from '../../src/contract/show.ts'

/** 0.6s, 42s, 4m12s, 1h52m, 3d4h: as in the terminal. */
export function formatDuration(ms: number): string {
  if (ms < 50) return '0s'
  if (ms < 9950) return `${(ms / 1000).toFixed(1)}s`
  return formatTicking(ms + 500)
}

/** The same in full seconds, for durations that update. */
export function formatTicking(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000))
  const [days, hours, minutes] = [
    Math.floor(total / 86_400),
    Math.floor(total / 3600) % 24,
    Math.floor(total / 60) % 60,
  ]
  if (days > 0) return `${days}d${hours}h`
  if (hours > 0) return `${hours}h${pad(minutes)}m`
  return total < 60 ? `${total}s` : `${minutes}m${pad(total % 60)}s`
}

const pad = (value: number): string => String(value).padStart(2, '0')

/** 16:40, or 16:40:05 with seconds. Local time. */
export function formatClock(at: number, withSeconds = false): string {
  const date = new Date(at)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}${withSeconds ? `:${pad(date.getSeconds())}` : ''}`
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })
const shortDayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** "Sunday 15 November" */
export const formatDay = (at: number): string => dayFormat.format(at).replace(',', '')
/** "15 Nov" */
export const formatShortDay = (at: number): string => shortDayFormat.format(at)

/** "16:40" today, "14 Nov 16:40" on other days. */
export const formatMoment = (at: number, now: number): string =>
  isSameDay(at, now) ? formatClock(at) : `${formatShortDay(at)} ${formatClock(at)}`

export const isSameDay = (a: number, b: number): boolean => new Date(a).toDateString() === new Date(b).toDateString()

/** The full time, for `title`. */
export const formatUtc = (at: number): string => `${new Date(at).toISOString().replace('T', ' ').slice(0, 19)} UTC`

export function formatZone(at: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'short' }).formatToParts(at)
  return (parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'local time').replace(/^GMT/, 'UTC')
}

export const formatCount = (value: number): string => value.toLocaleString('en')

/** "1 try", "3 tries" */
export const countOf = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

export const formatTokens = (tokens: number): string =>
  tokens >= 1_000_000 ? `${(tokens / 1_000_000).toFixed(2)} M` : formatCount(tokens)

export const formatMoney = (usd: number): string => (usd > 0 && usd < 0.005 ? '<$0.01' : `$${usd.toFixed(2)}`)

export const formatUnit: Readonly<Record<Bound['unit'], (value: number) => string>> = {
  count: formatCount,
  tokens: formatTokens,
  usd: formatMoney,
  ms: formatDuration,
}

/** "≥" marks a minimum, "~" an estimate. */
export const markAmount = (text: string, { atLeast, estimated }: Pick<Bound, 'atLeast' | 'estimated'>): string =>
  `${atLeast ? '≥ ' : ''}${estimated ? '~' : ''}${text}`

export type Spent = { readonly text: string; readonly of: string; readonly title: string }

/** Money if it is known, else tokens. */
export function formatSpend(spend: Card['spend'] | null, caps: Card['caps']): Spent | null {
  if (!spend) return null
  const title = `${formatCount(spend.tokens)} tokens, ${formatMoney(spend.costUsd)}`
  if (spend.costUsd > 0) {
    const of = caps.costUsd === undefined ? '' : `of ${formatMoney(caps.costUsd)}`
    return { text: markAmount(formatMoney(spend.costUsd), spend), of, title }
  }
  if (spend.tokens > 0) {
    const of = caps.tokens === undefined ? 'tokens' : `of ${formatCount(caps.tokens)} tokens`
    return { text: markAmount(formatTokens(spend.tokens), spend), of, title }
  }
  return spend.atLeast ? { text: 'not told', of: '', title: 'No call reported its tokens or its cost' } : null
}

/** Display values write titles in capitals for terminals: "STILL OPEN" becomes "Still open". */
export function toSentenceCase(title: string): string {
  const text = title.replace(/\b[A-Z]{2,}\b/g, (word) => word.toLowerCase())
  return capitalize(text)
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A line as a sentence that stands alone. */
export const startLarge = ([first, ...rest]: Line): Line =>
  typeof first === 'string' ? [capitalize(first), ...rest] : first === undefined ? rest : [first, ...rest]

/** The last six digits of a run's id. */
export const shortId = (id: string): string => id.slice(-6)
