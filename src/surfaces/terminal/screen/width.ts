/** What takes two columns of a terminal; emoji that are drawn as pictures are found by their own property. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
]
const picture = /\p{Emoji_Presentation}/u
const onTop = /[\p{Mn}\p{Me}\u1160-\u11ff]/u
const mostOnTop = 3

/**
 * Columns of one code point. Terminals differ on what an emoji of several parts takes: counted by parts, which is the
 * most that any of them uses, so that a line that fits here fits everywhere.
 */
function widthOf(letter: string): number {
  const code = letter.codePointAt(0) ?? 0
  if (code < 0x300) return 1
  // Asks for the picture of the letter before it, which is then twice as wide.
  if (code === 0xfe0f) return 1
  if (onTop.test(letter)) return 0
  return picture.test(letter) || wideRanges.some(([from, to]) => code >= from && code <= to) ? 2 : 1
}

/** As much of one line as fits, with a mark where it was cut. Marks piled on one letter are kept to a few. */
export function cutTo(text: string, columns: number): string {
  let kept = ''
  let short = ''
  let width = 0
  let piled = 0
  for (const letter of text) {
    const wide = widthOf(letter)
    piled = wide === 0 ? piled + 1 : 0
    if (piled > mostOnTop) continue
    width += wide
    if (width > columns) return columns > 0 ? `${short}…` : ''
    kept += letter
    if (width < columns) short = kept
  }
  return kept
}
