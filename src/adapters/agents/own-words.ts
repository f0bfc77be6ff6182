import { stripVTControlCharacters } from 'node:util'
import type { Fault } from '../../ports/agent.ts'
import { classifyStatus } from './reader.ts'

/**
 * Finds the fault in an error that the agent reports in its own words, which change from version to version.
 * Contract: never call it with text of the model or of a tool, which may contain any word.
 */
export function classifyError(message: string): Fault | undefined {
  const words = message.slice(0, maxLength)
  const status = findStatus(words)
  const byStatus = classifyStatus(status)
  if (byStatus) return byStatus
  if (login.some((one) => one.test(words))) return 'login'
  // Any other status says that the request itself was wrong.
  if (status !== undefined) return undefined
  if (limit.test(words)) return 'limit'
  return provider.test(words) ? 'provider' : undefined
}

/** Finds an HTTP status at the beginning, or after a word that announces it: "unexpected status 401", "API Error: 529". */
export function findStatus(message: string): number | undefined {
  const found = statusCode.exec(message.slice(0, maxLength))?.[1]
  return found === undefined ? undefined : Number(found)
}

const maxLength = 500
const statusCode = /(?:^|\b(?:status|code|error|http|repeated|rejected)\b[\s:=("']*)([45][0-9]{2})\b/i

const login: readonly RegExp[] = [
  /\b(?:not|no longer) (?:logged|signed) in\b|\b(?:log|sign) in (?:again|first|to continue)\b|\blog ?in (?:required|expired)\b/i,
  /\b(?:run|use) [`'"]?(?:[\w-]+ ){0,2}\/?log ?in\b/i,
  /\bunauthori[sz]ed\b|\bunauthenticated\b|\bauthentication[ _](?:is )?(?:required|failed|error|expired)/i,
  /\b(?:invalid|incorrect|missing|expired|revoked|no) (?:[\w-]+ )?(?:x-)?(?:api[ _-]?key|(?:auth|oauth|access)[ _-]?token|credentials)\b/i,
  /\b(?:api[ _-]?key|(?:auth|oauth|access)[ _-]?token|credentials) (?:is|are|was|has|have|could)(?: been)? ?(?:not be |not )?(?:missing|invalid|required|expired|revoked|set|found|provided|configured|loaded)\b/i,
]
const limit =
  /\btoo many requests\b|\b(?:rate|usage|session|weekly|[0-9]+-hour)[ _-]limit|\bhit your (?:[\w-]+ )?limit\b|\bquota\b|\bexceeded your limit\b/i
const provider =
  /\boverloaded\b|\bhigh demand\b|\b(?:unable|cannot|could not|failed) to connect\b|\bcannot connect\b|\bconnection (?:error|refused|failed|reset|closed)\b|\berror sending request\b|\bsocket connection was closed\b|\bfetch failed\b|\brequest timed out\b|\bECONN[A-Z]+\b|\bENOTFOUND\b|\bETIMEDOUT\b/i

/** Returns the lines of an output that say best why a program failed: the first that names an error, or else the last. */
export function quoteError(output: string): string | undefined {
  const all = stripVTControlCharacters(output)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
  const lines = all.filter((line) => /\p{L}/u.test(line) && !noise.test(line))
  const first = lines.findIndex((line) => namesError.test(line))
  if (first === -1 && all.some((line) => option.test(line))) return `it printed its usage: ${lines[0] ?? all[0]}`
  const quoted = first === -1 ? lines.slice(-1) : lines.slice(first, first + 2)
  return quoted.join('; ').slice(0, maxLength) || undefined
}

/** A line of a help text. */
const option = /^--?[a-z]/i

/** Warnings, stack frames, excerpts of source code, options, and hints about usage. */
const noise = /^(?:(?:\w+ )?warn(?:ing)?\b|at |[0-9]+ \||[\^~-]|usage:|tip:|for more information)/i
const namesError =
  /error\b|\b(?:fatal|fail(?:ed|ure)?|cannot|can't|could not|unable|denied|refused|not found|no such|not (?:logged|signed) in|invalid|missing|unknown|unexpected|unsupported|expired|required|must)\b/i
