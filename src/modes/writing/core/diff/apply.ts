import { sha256 } from '../../../../judging/sha256.ts'
import type { Change, Hunk, SemanticDiff, Unit } from '../../contract/semantic-diff.ts'
import type { Place } from './compare/units.ts'
import { locateHunks } from './compute.ts'
import { mergeValues } from './json/merge.ts'
import { formatValue, parseBoth } from './json/values.ts'
import { unifyLineEnds } from './text/lines.ts'

type Texts = ReadonlyMap<string, string>
/** From each path to its text; null if there is no such file. */
type Picked = { readonly files: ReadonlyMap<string, string | null> } | { readonly refused: string }

/** Picks the hunks that no change explains. */
export const restId = 'rest'

/**
 * Accepts some changes and restores the hunks of the others from `before`. All changes give exactly the files of `after`, none give
 * exactly those of `before`.
 */
export function applyPicks(diff: SemanticDiff, before: Texts, after: Texts, picked: readonly string[]): Picked {
  const refused = refusePicks(diff, new Set(picked)) ?? refuseTexts(diff, before, after)
  if (refused !== undefined) return { refused }
  const choice = chooseHunks(diff, new Set(picked))
  const parts = diff.units.map((unit) => measurePart(unit, diff.hunks, choice))
  const files = new Map<string, string | null>()
  for (const path of new Set([...before.keys(), ...after.keys()]))
    files.set(path, (choice.isAll ? after : before).get(path) ?? null)
  for (const { unit, share } of parts) {
    if (share === 'none') continue
    if (unit.from_path !== null) files.set(unit.from_path, null)
    files.set(unit.path, after.get(unit.path) ?? null)
  }
  if (!parts.some(({ share }) => share === 'some')) return { files }
  const found = locateHunks({ units: diff.units, before, after })
  for (const [index, part] of parts.entries()) {
    if (part.share !== 'some') continue
    const text = restoreHunks(part, found[index]?.places ?? [], before, after, choice)
    if (text === undefined) return { refused: `${part.unit.path} was compared by another version: compare again` }
    files.set(part.unit.path, text)
  }
  return { files }
}

/** Returns why these changes cannot be picked without the others. */
function refusePicks(
  { changes, hunks, unexplained_hunks }: SemanticDiff,
  picked: ReadonlySet<string>,
): string | undefined {
  const owners = listOwners(changes, unexplained_hunks)
  for (const id of picked) {
    const change = changes.find((one) => one.id === id)
    if (!change && id !== restId) return `there is no change ${id}`
    const missing = change?.depends_on.find((other) => other !== id && !picked.has(other))
    if (missing !== undefined) return `${id} depends on ${missing}: pick ${missing} too, or leave out ${id}`
  }
  for (const { id, moved } of hunks) {
    const here = owners.get(id) ?? []
    const divided = findDivided(here, picked)
    if (divided) return `${divided.join(' and ')} share the hunk ${id}: pick both or neither`
    const both = moved === null ? undefined : findDivided([...here, ...(owners.get(moved) ?? [])], picked)
    if (both) return `a passage moved from one of ${both.join(' and ')} to the other: pick both or neither`
  }
  return undefined
}

function listOwners(
  changes: readonly Change[],
  unexplained: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string[]>(unexplained.map((id) => [id, [restId]]))
  for (const { id, hunks } of changes)
    for (const hunk of new Set(hunks)) owners.set(hunk, [...(owners.get(hunk) ?? []), id])
  return owners
}

/** Returns a picked and an unpicked owner. */
function findDivided(owners: readonly string[], picked: ReadonlySet<string>): readonly [string, string] | undefined {
  const yes = owners.find((owner) => picked.has(owner))
  const no = owners.find((owner) => !picked.has(owner))
  return yes === undefined || no === undefined ? undefined : [yes, no]
}

function refuseTexts({ units }: SemanticDiff, before: Texts, after: Texts): string | undefined {
  const isSame = (text: string | undefined, hash: string | null): boolean =>
    text === undefined ? hash === null : hash === sha256(text)
  const other = units.find(
    (unit) =>
      !isSame(before.get(unit.from_path ?? unit.path), unit.hash_before) ||
      !isSame(after.get(unit.path), unit.hash_after),
  )
  return other && `${other.path} is not the text that was compared: compare again`
}

type Choice = {
  readonly hunks: ReadonlySet<string>
  /** Units that a picked change names. */
  readonly units: ReadonlySet<string>
  readonly isAll: boolean
}

function chooseHunks({ changes, unexplained_hunks }: SemanticDiff, picked: ReadonlySet<string>): Choice {
  const chosen = changes.filter(({ id }) => picked.has(id))
  const rest = picked.has(restId) ? unexplained_hunks : []
  const isRestTaken = picked.has(restId) || unexplained_hunks.length === 0
  return {
    hunks: new Set([...chosen.flatMap(({ hunks }) => hunks), ...rest]),
    units: new Set(chosen.flatMap(({ units }) => units)),
    isAll: picked.size > 0 && chosen.length === changes.length && isRestTaken,
  }
}

type UnitPart = { readonly unit: Unit; readonly hunks: readonly Hunk[]; readonly share: 'all' | 'some' | 'none' }

/** A unit without hunks has changed its name or its whitespace: it follows the changes that name it. */
function measurePart(unit: Unit, all: readonly Hunk[], choice: Choice): UnitPart {
  const hunks = all.filter((hunk) => hunk.unit === unit.id)
  const count = hunks.filter(({ id }) => choice.hunks.has(id)).length
  const isWhole = choice.isAll || (hunks.length === 0 ? choice.units.has(unit.id) : count === hunks.length)
  return { unit, hunks, share: isWhole ? 'all' : count > 0 ? 'some' : 'none' }
}

/** Builds a file of which some hunks were picked. Undefined if the places are not those of the hunks. */
function restoreHunks(
  { unit, hunks }: UnitPart,
  places: readonly Place[],
  before: Texts,
  after: Texts,
  choice: Choice,
): string | undefined {
  if (places.length !== hunks.length || !hunks.every((hunk, at) => isSamePlace(hunk, places[at]!))) return undefined
  const young = after.get(unit.path) ?? ''
  const sides = { before: unifyLineEnds(before.get(unit.from_path ?? unit.path) ?? ''), after: unifyLineEnds(young) }
  const isPicked = (at: number): boolean => choice.hunks.has(hunks[at]!.id)
  const text = hunks[0]!.field === null ? mergeTexts(sides, places, isPicked) : mergeFields(sides, isPicked)
  return usesWindowsEnds(young) ? text.replaceAll('\n', '\r\n') : text
}

const isSamePlace = (hunk: Hunk, place: Place): boolean =>
  hunk.before.text === place.before.text && hunk.after.text === place.after.text && hunk.field === place.field

const usesWindowsEnds = (text: string): boolean => text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text)

type Sides = { readonly before: string; readonly after: string }

function mergeTexts({ before, after }: Sides, places: readonly Place[], isPicked: (at: number) => boolean): string {
  let text = ''
  let position = 0
  let endsFile = false
  const append = (part: string, isEnd: boolean): void => {
    if (endsFile && part.trim() !== '') text = endParagraph(text, part)
    text += part
    endsFile = part === '' ? endsFile : isEnd
  }
  for (const [at, { span }] of places.entries()) {
    append(after.slice(position, span!.after.from), false)
    const [source, { from, to }] = isPicked(at) ? [after, span!.after] : [before, span!.before]
    append(source.slice(from, to), to === source.length)
    position = span!.after.to
  }
  append(after.slice(position), true)
  return text
}

const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s/

/** The last paragraph of one side is followed by one of the other side: its line end is not enough. */
function endParagraph(text: string, next: string): string {
  const last = text.trimEnd()
  const areItems = item.test(next) && item.test(last.slice(last.lastIndexOf('\n') + 1))
  return last === '' ? text : `${last}${areItems ? '\n' : '\n\n'}`
}

/** Keeps the indentation of the new text. */
function mergeFields({ before, after }: Sides, isPicked: (at: number) => boolean): string {
  const values = parseBoth(before, after)!
  let at = 0
  const merged = mergeValues(values.before, values.after, () => (isPicked(at++) ? 'after' : 'before'))
  const step = /\n([ \t]+)\S/.exec(after)?.[1] ?? ''
  return formatValue(merged, step) + after.slice(values.after.to)
}
