import { sha256 } from '../../../../judging/sha256.ts'
import { alignItems, type Budget } from '../../../../judging/text/align.ts'
import type { Hunk, SemanticDiff, Unit } from '../../contract/semantic-diff.ts'
import { linkMoves } from './compare/moves.ts'
import { findRenames } from './compare/renames.ts'
import { type Comparison, compareUnits } from './compare/units.ts'
import { splitLines, unifyLineEnds } from './text/lines.ts'
import { countWords } from './text/words.ts'

export type DiffUnit = Pick<Unit, 'path' | 'kind' | 'label' | 'format'>

export type DiffInput = {
  /** The files before and after, in the order of reading. */
  readonly units: readonly DiffUnit[]
  readonly before: ReadonlyMap<string, string>
  readonly after: ReadonlyMap<string, string>
}

/** What code knows about a change of texts. */
export type ComputedDiff = Pick<SemanticDiff, 'stats' | 'units' | 'hunks' | 'limited'>

export type DiffOptions = {
  /** Bounds the time by steps instead of milliseconds, so that every machine finds the same hunks. */
  readonly mostSteps?: number
}

/** About a second. */
const mostSteps = 50_000_000

/** Compares two versions of a level. The same texts always give the same diff. */
export function computeDiff(input: DiffInput, options: DiffOptions = {}): ComputedDiff {
  const files = pairFiles(input)
  const steps = options.mostSteps ?? mostSteps
  const comparisons = compareUnits(files, { left: steps })
  const units = files.map((file, index) => describeUnit(file, index))
  const { hunks, links } = numberHunks(units, comparisons)
  const budget = { left: steps }
  const lines = files.map((file) => countLines(file.before, file.after, budget))
  return {
    stats: {
      files_total: new Set([...input.before.keys(), ...input.after.keys()]).size,
      files_changed: units.filter(({ status }) => status !== 'unchanged').length,
      lines_added: sum(lines.map(({ added }) => added)),
      lines_removed: sum(lines.map(({ removed }) => removed)),
      words_before: sum(units.map((unit) => unit.words_before)),
      words_after: sum(units.map((unit) => unit.words_after)),
    },
    units,
    hunks: linkMoves(hunks.map((hunk) => ({ ...hunk, moved: links.get(hunk.id) ?? null }))),
    limited: comparisons.some(({ limited }) => limited) || lines.some(({ limited }) => limited),
  }
}

/** Finds the places of the hunks again, to undo some of them: one list for each unit. */
export function locateHunks(input: DiffInput): readonly Comparison[] {
  return compareUnits(pairFiles(input), { left: mostSteps })
}

type File = DiffUnit & {
  readonly before: string | undefined
  readonly after: string | undefined
  readonly fromPath: string | null
  readonly hashes: Pick<Unit, 'hash_before' | 'hash_after'>
}

/** Joins the old and the new file of a rename into one. */
function pairFiles({ units, before, after }: DiffInput): readonly File[] {
  const renames = findRenames(before, after)
  const gone = new Set(renames.values())
  const read = (texts: ReadonlyMap<string, string>, path: string) => {
    const text = texts.get(path)
    return text === undefined ? { hash: null } : { text: unifyLineEnds(text), hash: sha256(text) }
  }
  return units
    .filter(({ path }) => !gone.has(path) && (before.has(path) || after.has(path)))
    .map(({ path, kind, label, format }) => {
      const fromPath = renames.get(path) ?? null
      const [old, young] = [read(before, fromPath ?? path), read(after, path)]
      const hashes = { hash_before: old.hash, hash_after: young.hash }
      return { path, kind, label, format, before: old.text, after: young.text, fromPath, hashes }
    })
}

function describeUnit(file: File, index: number): Unit {
  const { path, kind, label, format, before, after, fromPath, hashes } = file
  const words = countWords(before ?? '')
  return {
    id: `u${index + 1}`,
    kind,
    label,
    format,
    path,
    status: readStatus(file),
    from_path: fromPath,
    words_before: words,
    words_after: before === after ? words : countWords(after ?? ''),
    ...hashes,
  }
}

function readStatus({ before, after, fromPath }: File): Unit['status'] {
  if (fromPath !== null) return 'renamed'
  if (before === undefined) return 'added'
  if (after === undefined) return 'removed'
  return before === after ? 'unchanged' : 'modified'
}

/** `links`: from a moved hunk to its other end. */
function numberHunks(units: readonly Unit[], comparisons: readonly Comparison[]) {
  const links = new Map<string, string>()
  const ends = new Map<number, string>()
  const places = comparisons.flatMap((comparison, index) =>
    comparison.places.map((place) => ({ place, unit: units[index]!.id })),
  )
  const hunks = places.map(({ place, unit }, index): Hunk => {
    const id = `h${index + 1}`
    const { before, after, granularity, field, heading, words_before, words_after, move } = place
    const other = move === undefined ? undefined : ends.get(move)
    if (other !== undefined) links.set(id, other).set(other, id)
    else if (move !== undefined) ends.set(move, id)
    return { id, unit, before, after, granularity, field, heading, words_before, words_after, moved: null }
  })
  return { hunks, links }
}

/** Counts the lines that have no partner. Lines count as in git; where several diffs are equally right, git may choose another. */
function countLines(before = '', after = '', budget: Budget) {
  if (before === after) return { added: 0, removed: 0, limited: false }
  const [old, young] = [splitLines(before), splitLines(after)]
  const found = alignItems(old, young, budget)
  if (!found) return { added: young.length, removed: old.length, limited: true }
  return { added: sum(found.added), removed: sum(found.removed), limited: false }
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
