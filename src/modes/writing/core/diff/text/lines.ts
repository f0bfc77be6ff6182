/** A line end of Windows counts as one of Unix. All positions are positions in this text. */
export const unifyLineEnds = (text: string): string => (text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text)

/** Lines with their ends, as git counts them. */
export function splitLines(text: string): readonly string[] {
  const lines: string[] = []
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from)
    const to = newline < 0 ? text.length : newline + 1
    lines.push(text.slice(from, to))
    from = to
  }
  return lines
}

/** Returns a function from a position to its line, counted from 1. */
export function indexLines(text: string): (position: number) => number {
  const starts: number[] = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (position) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= position) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}
