export type HumanText = {
  readonly text: string
  /** The text was longer and has been truncated. */
  readonly cut: boolean
}

export const maxHumanTextBytes = 64 * 1024

/** Cleans text that a person wrote for use in a prompt or on a screen: removes control characters except newline and tab. */
export function cleanHumanText(written: string): HumanText {
  const plain = removeControls(written)
  // `encodeInto` never splits a character.
  const { read } = new TextEncoder().encodeInto(plain, new Uint8Array(maxHumanTextBytes))
  return { text: plain.slice(0, read), cut: read < plain.length }
}

/** Removes control characters except newline and tab, from a text of any length. */
export const removeControls = (written: string): string =>
  written.toWellFormed().replaceAll('\r\n', '\n').replace(controls, '')

const controls = /(?![\n\t])\p{Cc}/gu
const mark = '\ufeff'

/** Gives a text the byte order mark, line endings and final newline of the original. */
export function matchStyle(text: string, original: string): string {
  const eol = mainLineEnding(original)
  const bare = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\n+$/, '')
  const end = /[\r\n]$/.test(original) ? '\n' : ''
  return (original.startsWith(mark) ? mark : '') + `${bare}${end}`.replaceAll('\n', eol)
}

/** Returns the line ending of most lines. */
function mainLineEnding(text: string): '\n' | '\r\n' {
  const [windows, all] = [text.split('\r\n').length - 1, text.split('\n').length - 1]
  return windows > all / 2 ? '\r\n' : '\n'
}
