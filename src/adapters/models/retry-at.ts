/** Header names in lower case. */
export type Headers = Readonly<Record<string, string>>

/** When a provider may be asked again by its own word, as epoch time; undefined where there is none to wait for. */
export function retryAt(headers: Headers, now: number): number | undefined {
  const after =
    number(headers['retry-after-ms']) ?? seconds(headers['retry-after']) ?? moment(headers['retry-after'], now)
  return sane(after ?? latestReset(headers, now), now)
}

/** What lasts longer is nonsense. How long to wait is then for whoever waits to find out. */
const longestWaitMs = 400 * 86_400_000

function sane(waitMs: number | undefined, now: number): number | undefined {
  if (waitMs === undefined || waitMs > longestWaitMs) return undefined
  return Math.ceil(now + Math.max(0, waitMs))
}

/** Several limits are told at once, each with what is left of it: the spent ones count, all where none says so. */
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
  const told = number(text)
  return told === undefined ? undefined : told * 1000
}

/** "6m0s", "12ms", "1h2m". */
function duration(text: string): number | undefined {
  if (!/^\s*(\d+(\.\d+)?(ms|[dhms]))+\s*$/.test(text)) return undefined
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)]
  return parts.reduce((all, [, count, unit]) => all + Number(count) * units[unit as keyof typeof units], 0)
}

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A bare number is a moment if it is in this century, in seconds or milliseconds, else a number of seconds. */
function epoch(text: string, now: number): number | undefined {
  const told = number(text)
  if (told === undefined) return undefined
  if (told < 1e9) return told * 1000
  return (told < 1e11 ? told * 1000 : told) - now
}

function moment(text: string | undefined, now: number): number | undefined {
  const at = text !== undefined && /^\s*(\w{3,}, |\d{4}-)/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at - now
}
