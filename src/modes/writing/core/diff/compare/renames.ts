import { splitLines } from '../text/lines.ts'

type Texts = ReadonlyMap<string, string>

const leastShare = 0.8
/** With more pairs of files, only equal ones are found. */
const mostPairs = 10_000

/** Finds files that were given another name: from the new path to the old one. At least 80 % of the lines must be the same. */
export function findRenames(before: Texts, after: Texts): ReadonlyMap<string, string> {
  const gone = [...before.keys()].filter((path) => !after.has(path) && hasText(before.get(path)!))
  const come = [...after.keys()].filter((path) => !before.has(path) && hasText(after.get(path)!))
  const renames = new Map<string, string>()
  const taken = new Set<string>()
  const take = (from: string, to: string): void => {
    if (taken.has(from) || renames.has(to)) return
    renames.set(to, from)
    taken.add(from)
  }
  for (const to of come) {
    const from = gone.find((path) => !taken.has(path) && before.get(path) === after.get(to))
    if (from !== undefined) take(from, to)
  }
  if (gone.length * come.length > mostPairs) return renames
  for (const { from, to } of rankPairs(gone, come, before, after)) take(from, to)
  return renames
}

const hasText = (text: string): boolean => text.trim() !== ''

function rankPairs(gone: readonly string[], come: readonly string[], before: Texts, after: Texts) {
  const old = gone.map((path) => countLines(before.get(path)!))
  const young = come.map((path) => countLines(after.get(path)!))
  const pairs = gone.flatMap((from, a) => come.map((to, b) => ({ from, to, share: measureShare(old[a]!, young[b]!) })))
  return pairs.filter(({ share }) => share >= leastShare).toSorted((one, other) => other.share - one.share)
}

type Lines = { readonly counts: ReadonlyMap<string, number>; readonly total: number }

/** Empty lines prove nothing. */
function countLines(text: string): Lines {
  const counts = new Map<string, number>()
  const lines = splitLines(text)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return { counts, total: lines.length }
}

function measureShare(one: Lines, other: Lines): number {
  const most = Math.max(one.total, other.total)
  if (Math.min(one.total, other.total) < leastShare * most) return 0
  let common = 0
  for (const [line, count] of one.counts) common += Math.min(count, other.counts.get(line) ?? 0)
  return common / most
}
