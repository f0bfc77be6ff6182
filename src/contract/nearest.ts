/** Returns the candidate a person most likely meant, or undefined if none is close. */
export const findNearest = (word: string, candidates: readonly string[]): string | undefined =>
  listNearest(word, candidates)[0]

/** Returns all candidates that a person may have meant, the nearest first. */
export function listNearest(word: string, candidates: readonly string[]): string[] {
  const limit = Math.min(3, Math.ceil(word.length / 3))
  return (
    candidates
      // The distance is at least the difference in length, and costs quadratic time to compute.
      .filter((name) => Math.abs(name.length - word.length) <= limit)
      .map((name) => ({ name, edits: editsBetween(word, name) }))
      .filter(({ edits }) => edits <= limit)
      .sort((a, b) => a.edits - b.edits)
      .map(({ name }) => name)
  )
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
