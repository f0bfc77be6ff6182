/** Header names in lower case. */
export type Headers = Readonly<Record<string, string>>

/** Returns when to retry according to the response headers, in epoch milliseconds. Undefined if they do not say. */
export function retryAt(headers: Headers, now: number): number | undefined {
  const after =
    number(headers['retry-after-ms']) ?? seconds(headers['retry-after']) ?? moment(headers['retry-after'], now)
  return toRetryTime(after ?? latestReset(headers, now), now)
}

/** Longer waits are ignored; the caller then decides how long to wait. */
const maxWaitMs = 400 * 86_400_000

function toRetryTime(waitMs: number | undefined, now: number): number | undefined {
  if (waitMs === undefined || waitMs > maxWaitMs) return undefined
  return Math.ceil(now + Math.max(0, waitMs))
}

/** Headers may report several limits with the remaining quota. Exhausted limits count, or all if none is exhausted. */
function latestReset(headers: Headers, now: number): number | undefined {
  const limits = Object.entries(headers).flatMap(([name, value]) => {
    const waitMs = /ratelimit.*reset/.test(name)
      ? (duration(value) ?? epoch(value, now) ?? moment(value, now))
      : undefined
    if (waitMs === undefined) return []
    return [
      {
        waitMs,
        left: number(headers[name.replace('reset', 'remaining')] ?? headers[name.replace('-reset', '-remaining')]),
      },
    ]
  })
  const spent = limits.filter(({ left }) => left === 0)
  const waits = (spent.length > 0 ? spent : limits).map(({ waitMs }) => waitMs)
  return waits.length > 0 ? Math.max(...waits) : undefined
}

function number(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}

function seconds(text: string | undefined): number | undefined {
  const value = number(text)
  return value === undefined ? undefined : value * 1000
}

/** Parses "6m0s", "12ms" or "1h2m". */
function duration(text: string): number | undefined {
  if (!/^\s*(\d+(\.\d+)?(ms|[dhms]))+\s*$/.test(text)) return undefined
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)]
  return parts.reduce((all, [, count, unit]) => all + Number(count) * units[unit as keyof typeof units], 0)
}

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Parses a number: epoch seconds or milliseconds if that is in this century, otherwise a number of seconds. */
function epoch(text: string, now: number): number | undefined {
  const value = number(text)
  if (value === undefined) return undefined
  if (value < 1e9) return value * 1000
  return (value < 1e11 ? value * 1000 : value) - now
}

function moment(text: string | undefined, now: number): number | undefined {
  const at = text !== undefined && /^\s*(\w{3,}, |\d{4}-)/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at - now
}
