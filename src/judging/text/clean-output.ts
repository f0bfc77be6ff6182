const esc = '\u001b'
const bell = '\u0007'

/**
 * Removes escape sequences and all control characters except newline and tab from a model's text. Written by hand because
 * it needs linear time on hostile input.
 */
export function cleanOutput(text: string): string {
  let clean = ''
  let from = 0
  for (let at = text.indexOf(esc); at >= 0; at = text.indexOf(esc, from)) {
    clean += text.slice(from, at)
    from = afterSequence(text, at + 1)
  }
  return (clean + text.slice(from)).replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '')
}

/** Returns the end of a sequence: `[` runs to its final byte, `]PX^_` to their terminator on the same line, others are one byte. */
function afterSequence(text: string, at: number): number {
  const kind = text[at]
  if (kind === '[') {
    let end = at + 1
    while (end < text.length && /[0-?\x20-/]/.test(text[end]!)) end++
    return end < text.length && /[@-~]/.test(text[end]!) ? end + 1 : end
  }
  if (kind !== undefined && ']PX^_'.includes(kind)) {
    let end = at + 1
    while (end < text.length && text[end] !== bell && text[end] !== esc && text[end] !== '\n') end++
    return text[end] === bell ? end + 1 : text.startsWith(`${esc}\\`, end) ? end + 2 : end
  }
  return kind !== undefined && /[0-~]/.test(kind) ? at + 1 : at
}
