/** Formats numbers as people do: 1, 5-7. */
export function formatRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const number of [...new Set(numbers)].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ')
}
