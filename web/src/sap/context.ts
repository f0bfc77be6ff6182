import type { SapRunPayload } from '../../../src/contract/web.ts'

export type Piece = SapRunPayload['context'][number]
/** The part of a text that is an earlier text. */
export type Held = { readonly label: string; readonly from: number; readonly to: number }

/** The longest earlier text that a text contains whole. */
export function findHeld(pieces: readonly Piece[], index: number): Held | null {
  const text = pieces[index]?.text ?? ''
  let held: Held | null = null
  for (const earlier of pieces.slice(0, index)) {
    const wanted = earlier.text.trim()
    const from = wanted === '' ? -1 : text.indexOf(wanted)
    if (from === -1 || (held && wanted.length < held.to - held.from)) continue
    held = { label: earlier.label, from, to: from + wanted.length }
  }
  return held
}
