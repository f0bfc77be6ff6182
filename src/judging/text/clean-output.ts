const opens = '\u001b'
const bell = '\u0007'

/**
 * A model's text without what a terminal would obey: escape sequences whole, other control characters but newline and
 * tab one by one. By hand: one pass, however the text tries to make it more.
 */
export function cleanOutput(text: string): string {
  let clean = ''
  let from = 0
  for (let at = text.indexOf(opens); at >= 0; at = text.indexOf(opens, from)) {
    clean += text.slice(from, at)
    from = afterSequence(text, at + 1)
  }
  return (clean + text.slice(from)).replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '')
}

/** Where the sequence ends: `[` up to a letter, `]` and its like up to their end on the same line, else one letter. */
function afterSequence(text: string, at: number): number {
  const kind = text[at]
  if (kind === '[') {
    let end = at + 1
    while (end < text.length && /[0-?\x20-/]/.test(text[end]!)) end++
    return end < text.length && /[@-~]/.test(text[end]!) ? end + 1 : end
  }
  if (kind !== undefined && ']PX^_'.includes(kind)) {
    let end = at + 1
    while (end < text.length && text[end] !== bell && text[end] !== opens && text[end] !== '\n') end++
    return text[end] === bell ? end + 1 : text.startsWith(`${opens}\\`, end) ? end + 2 : end
  }
  return kind !== undefined && /[0-~]/.test(kind) ? at + 1 : at
}
