/** Returns the candidate a person most likely meant, or undefined if none is close. */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.min(3, Math.ceil(word.length / 3))
  const ranked = candidates
    // The distance is at least the difference in length, and costs quadratic time to compute.
    .filter((name) => Math.abs(name.length - word.length) <= limit)
    .map((name) => ({ name, edits: editsBetween(word, name) }))
    .sort((a, b) => a.edits - b.edits)
  return ranked[0] && ranked[0].edits <= limit ? ranked[0].name : undefined
}

/** Levenshtein distance, computed in one row. */
function editsBetween(from: string, to: string): number {
  const row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let i = 1; i <= from.length; i++) {
    let diagonal = row[0]!
    row[0] = i
    for (let j = 1; j <= to.length; j++) {
      const above = row[j]!
      row[j] = Math.min(above + 1, row[j - 1]! + 1, diagonal + (from[i - 1] === to[j - 1] ? 0 : 1))
      diagonal = above
    }
  }
  return row[to.length]!
}
