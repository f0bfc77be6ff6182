/** A text with what is different about it. */
export type Marked = { readonly start: string; readonly changed: string; readonly end: string }

/** Finds the words that differ: what lies between the same beginning and the same end. */
export function markWords(before: string, after: string): { readonly before: Marked; readonly after: Marked } {
  const [old, now] = [split(before), split(after)]
  const shorter = Math.min(old.length, now.length)
  let from = 0
  while (from < shorter && old[from] === now[from]) from += 1
  let to = 0
  while (to < shorter - from && old.at(-1 - to) === now.at(-1 - to)) to += 1
  return { before: cut(old, from, to), after: cut(now, from, to) }
}

/** Words and the spaces between them. */
const split = (text: string): readonly string[] => text.match(/\s+|[^\s]+/g) ?? []

const cut = (words: readonly string[], from: number, to: number): Marked => ({
  start: words.slice(0, from).join(''),
  changed: words.slice(from, words.length - to).join(''),
  end: words.slice(words.length - to).join(''),
})
