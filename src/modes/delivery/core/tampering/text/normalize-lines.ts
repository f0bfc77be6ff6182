/** Lines as written, trimmed (`raw`), and with layout removed except inside quotes (`bare`). */
export type Lines = { readonly raw: readonly string[]; readonly bare: readonly string[] }

export function normalizeLines(text: string): Lines {
  const raw = text.split(/\r?\n/).map((line) => line.trim())
  return { raw, bare: raw.map((line) => (line === '' ? '' : stripLayout(line))) }
}

/** Whether only layout differs: wrapping, indentation, kind of quotes, a trailing comma or semicolon. */
export const isSameText = (before: string, after: string): boolean =>
  before === after || isSameRun(normalizeLines(before).bare, normalizeLines(after).bare)

export const isSameRun = (before: readonly string[], after: readonly string[]): boolean =>
  joined(before) === joined(after)

const joined = (bare: readonly string[]): string => bare.join('').replace(/[,;](?=[)\]}])/g, '')

const stripLayout = (line: string): string =>
  mapQuoted(
    line,
    (text) => text.replace(/^["`]|["`]$/g, "'"),
    (text) => text.replace(/\s+/g, ''),
  ).replace(/[,;]$/, '')

/** Empties quoted text, so that a test title containing "skip" does not look like a skip. */
export const withoutQuoted = (line: string): string =>
  mapQuoted(
    line,
    (text) => text[0]! + text[0]!,
    (text) => text,
  )

type Change = (text: string) => string
function mapQuoted(line: string, quoted: Change, plain: Change): string {
  if (!/["'`]/.test(line)) return plain(line)
  const parts: string[] = []
  const unclosed = new Set<string>()
  let from = 0
  for (let i = 0; i < line.length; i++) {
    const quote = line[i]!
    if (!(quote === '"' || quote === "'" || quote === '`') || unclosed.has(quote)) continue
    const end = findClosing(line, i)
    // A lifetime or an apostrophe. Searched for only once per line, which keeps the time linear.
    if (end < 0) unclosed.add(quote)
    else {
      parts.push(plain(line.slice(from, i)), quoted(line.slice(i, end + 1)))
      from = end + 1
      i = end
    }
  }
  return parts.join('') + plain(line.slice(from))
}

function findClosing(line: string, start: number): number {
  for (let i = start + 1; i < line.length; i++) {
    if (line[i] === '\\') i++
    else if (line[i] === line[start]) return i
  }
  return -1
}

/** Formats a text as one short line without control characters. */
export function formatLine(text: string, maxLength = 80): string {
  const clean = text
    .slice(0, maxLength * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ')
    .trim()
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean
}
