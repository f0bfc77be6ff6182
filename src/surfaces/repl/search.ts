export type Search = {
  /** Replaces what is searched for. The best match becomes the current one. */
  look(query: string): void
  query(): string
  /** Goes to the next match, or back to an earlier one. Stays at the last and the first. */
  step(by: 1 | -1): void
  /** The current match, or undefined if nothing matches. */
  match(): string | undefined
}

/** Searches entries, which come in the order of preference. */
export function createSearch(entries: readonly string[]): Search {
  let query = ''
  let matches = entries
  let at = 0
  return {
    look: (next) => {
      query = next
      matches = findMatches(query, entries)
      at = 0
    },
    query: () => query,
    step: (by) => {
      at = Math.max(0, Math.min(matches.length - 1, at + by))
    },
    match: () => matches[at],
  }
}

/** The start of a long entry is enough to find it, and keeps each key fast. */
const maxSearched = 10_000

/** Finds the entries that contain all letters of the query in their order; first those that contain them in one piece. */
export function findMatches(query: string, entries: readonly string[]): string[] {
  const letters = query.toLowerCase()
  const whole: string[] = []
  const scattered: string[] = []
  for (const entry of entries) {
    const text = entry.slice(0, maxSearched).toLowerCase()
    if (text.includes(letters)) whole.push(entry)
    else if (hasInOrder(text, letters)) scattered.push(entry)
  }
  return [...whole, ...scattered]
}

function hasInOrder(text: string, letters: string): boolean {
  let at = 0
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}
