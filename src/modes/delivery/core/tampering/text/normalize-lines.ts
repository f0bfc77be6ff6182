/** A text as lines that can be compared: how it is laid out does not count, what stands in quotes does. */
export type Lines = { readonly raw: readonly string[]; readonly bare: readonly string[] }

export function normalizeLines(text: string): Lines {
  const raw = text.split(/\r?\n/).map((line) => line.trim())
  return { raw, bare: raw.map((line) => (line === '' ? '' : squeeze(line))) }
}

/** Layout alone: wrapped otherwise, indented otherwise, other quotes, a comma or semicolon at the end. */
export const isSameText = (before: string, after: string): boolean =>
  before === after || whole(normalizeLines(before)) === whole(normalizeLines(after))

export const isSameRun = (before: readonly string[], after: readonly string[]): boolean =>
  joined(before) === joined(after)

const whole = ({ bare }: Lines): string => joined(bare)
const joined = (bare: readonly string[]): string => bare.join('').replace(/[,;](?=[)\]}])/g, '')

const squeeze = (line: string): string =>
  inQuotes(
    line,
    (text) => text.replace(/^["`]|["`]$/g, "'"),
    (text) => text.replace(/\s+/g, ''),
  ).replace(/[,;]$/, '')

/** The line with nothing between its quotes: a title that speaks of skipping skips nothing. */
export const withoutQuoted = (line: string): string =>
  inQuotes(
    line,
    (text) => text[0]! + text[0]!,
    (text) => text,
  )

type Change = (text: string) => string
function inQuotes(line: string, quoted: Change, plain: Change): string {
  if (!/["'`]/.test(line)) return plain(line)
  const parts: string[] = []
  const unclosed = new Set<string>()
  let from = 0
  for (let i = 0; i < line.length; i++) {
    const quote = line[i]!
    if (!(quote === '"' || quote === "'" || quote === '`') || unclosed.has(quote)) continue
    const end = closing(line, i)
    // A lifetime or an apostrophe: looked for once only, so that no line takes long.
    if (end < 0) unclosed.add(quote)
    else {
      parts.push(plain(line.slice(from, i)), quoted(line.slice(i, end + 1)))
      from = end + 1
      i = end
    }
  }
  return parts.join('') + plain(line.slice(from))
}

function closing(line: string, start: number): number {
  for (let i = start + 1; i < line.length; i++) {
    if (line[i] === '\\') i++
    else if (line[i] === line[start]) return i
  }
  return -1
}

/** One line for a person: no control characters, not longer than a line. */
export function shown(text: string, most = 80): string {
  const clean = text
    .slice(0, most * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ')
    .trim()
  return clean.length > most ? `${clean.slice(0, most - 1)}…` : clean
}
