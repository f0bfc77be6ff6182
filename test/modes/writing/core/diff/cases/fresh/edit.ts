/** Replaces each of these passages, which must occur exactly once. */
export function edit(text: string, passages: readonly (readonly [from: string, to: string])[]): string {
  return passages.reduce((now, [from, to]) => {
    if (now.split(from).length !== 2) throw new Error(`not exactly once in the text: ${from}`)
    return now.replace(from, () => to)
  }, text)
}
