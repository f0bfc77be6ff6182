export type Range = readonly [from: number, to: number]

/** Nobody writes longer assertions, and longer ones would take long to read. */
export const maxReach = 10_000

export const replaceRange = (text: string, [from, to]: Range, other: string): string =>
  text.slice(0, from) + other + text.slice(to)

/** The arguments of the first call that a pattern finds. It ends in the bracket. */
export function argumentsOf(text: string, call: RegExp): readonly Range[] {
  const found = call.exec(text)
  return found ? splitArguments(text, found.index + found[0].length) : []
}

/** Returns the start and the end of each argument of a call. Empty if the call does not end. */
export function splitArguments(text: string, from: number): Range[] {
  const parts: Range[] = []
  let [depth, start] = [0, from]
  const pattern = new RegExp(quotedOrBracket)
  pattern.lastIndex = from
  for (let found = pattern.exec(text); found && found.index < from + maxReach; found = pattern.exec(text)) {
    if (/^[([{]$/.test(found[0])) depth++
    else if (depth === 0 && /^[)\]},]$/.test(found[0])) {
      if (text.slice(start, found.index).trim() !== '') parts.push([start, found.index])
      start = found.index + 1
      if (found[0] !== ',') return parts
    } else if (/^[)\]}]$/.test(found[0])) depth--
  }
  return []
}
const quotedOrBracket = /"(?:[^"\\]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[([{]|[)\]}]|,/g

/** Blanks for what a shell runs inside of a text: no value in it is expected. */
export function hideSubstitutions(text: string): string {
  const from = text.search(/"?\$\(/)
  if (from < 0) return text
  let depth = 0
  for (let at = text.indexOf('(', from); at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) {
      const to = at + (text[from] === '"' && text[at + 1] === '"' ? 2 : 1)
      return text.slice(0, from) + ' '.repeat(to - from) + hideSubstitutions(text.slice(to))
    }
  }
  return text
}

/** How many lines a statement has that begins here. One whose brackets do not close has one. */
export function countLines(lines: readonly string[], index: number): number {
  let depth = 0
  for (let count = 1; count <= maxLines && index + count <= lines.length; count++) {
    for (const [found] of lines[index + count - 1]!.matchAll(quotedOrBracket))
      depth += /^[([{]$/.test(found) ? 1 : /^[)\]}]$/.test(found) ? -1 : 0
    if (depth <= 0) return count
  }
  return 1
}
const maxLines = 60

/**
 * Whether a place is inside of a call in the assertion, as the name of a file is that is read for it: another one would break the test. What
 * begins with a capital letter, as types do, makes a value of others.
 */
export function isDeep(line: string, from: number, index: number, allowed?: number): boolean {
  const open: boolean[] = []
  for (const { 0: found, index: at } of line.slice(from, index).matchAll(quotedOrBracket)) {
    if (found === '(')
      open.push(/[\w!\])]$/.test(line.slice(0, from + at)) && !/\b[A-Z](?:[a-z]\w*)?$/.test(line.slice(0, from + at)))
    else if (found === ')') open.pop()
  }
  const isCall = /^\W*[\w.!]+\(/.test(line.slice(from))
  return open.filter(Boolean).length > (allowed ?? (isCall ? 1 : 0))
}
