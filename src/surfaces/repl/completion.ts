/** Completions of the last word of a text. */
export type Completions = {
  /** What a candidate replaces: the end of the text, possibly nothing. */
  readonly word: string
  readonly candidates: readonly string[]
}

/** Gives completions for the text before the cursor. */
export type Complete = (before: string) => Completions | Promise<Completions>

type Completed = {
  readonly word: string
  /** What replaces the word. Undefined if nothing can be added. */
  readonly insert?: string
  /** The candidates in one line, if there is a choice and nothing can be added. */
  readonly list?: string
}

const maxListed = 40

/** Completes as far as all candidates agree. A failure is no completion, so that typing can go on. */
export async function completeLine(complete: Complete | undefined, before: string): Promise<Completed> {
  try {
    const { word, candidates } = (await complete?.(before)) ?? { word: '', candidates: [] }
    // Names of files may contain anything.
    return decideCompletion(
      word,
      [...new Set(candidates)].filter((one) => !/[\p{Cc}\u2028\u2029]/u.test(one)),
    )
  } catch {
    return { word: '' }
  }
}

function decideCompletion(word: string, candidates: readonly string[]): Completed {
  const prefix = findPrefix(candidates)
  if (!word.startsWith(prefix)) return { word, insert: prefix }
  if (candidates.length < 2) return { word }
  const more = candidates.length > maxListed ? [`and ${candidates.length - maxListed} more`] : []
  return { word, list: [...candidates.slice(0, maxListed).map((one) => one.trim()), ...more].join('  ') }
}

/** Finds the longest text that all candidates start with. */
function findPrefix(candidates: readonly string[]): string {
  const [first = '', ...others] = candidates
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}
