import { collapseSpaces } from '../../../../../judging/scoring/text-similarity.ts'
import type { ChangeLabel } from '../../../contract/diff-labels.ts'
import type { Hunk } from '../../../contract/semantic-diff.ts'
import type { Clause } from './clauses.ts'
import { type Known, type KnownUnit, listSentences, measureHunks } from './known.ts'
import {
  articles,
  beginWords,
  endWords,
  largeWords,
  movedPattern,
  onlyWords,
  polishNouns,
  prepositions,
  smallWords,
  wholeNouns,
} from './lexicon.ts'
import { hasWord, listStems, wordPattern } from './match.ts'
import type { Part } from './parts.ts'
import type { Finding, Statement } from './statement.ts'

/** Checks what a change says as a whole: which side is old, where it is, how large it is, whether something moved. */
export function checkGists(change: ChangeLabel, statements: readonly Statement[], known: Known): readonly Finding[] {
  const [first] = statements
  if (!first || first.hunks.length === 0) return []
  return [
    ...checkSides(change, first.hunks),
    ...checkPlace(
      statements.find(({ field }) => field === 'locator'),
      first,
    ),
    ...checkSmallness(change, first),
    ...checkType(change, first.hunks, known),
  ]
}

/** So many more words must fit the other side. */
const leastMargin = 2

/** Finds gists that are swapped: each fits the other side better. */
function checkSides({ before, after }: ChangeLabel, hunks: readonly Hunk[]): readonly Finding[] {
  const old = new Set(hunks.flatMap((hunk) => listStems(hunk.before.text)))
  const young = new Set(hunks.flatMap((hunk) => listStems(hunk.after.text)))
  const fits = (text: string): number => {
    const stems = new Set(listStems(text))
    return (
      [...stems].filter((stem) => old.has(stem) && !young.has(stem)).length -
      [...stems].filter((stem) => young.has(stem) && !old.has(stem)).length
    )
  }
  const isSwapped = fits(before) <= -leastMargin && fits(after) >= leastMargin
  return isSwapped ? [{ code: 'direction-differs', says: 'the gists of before and after are swapped' }] : []
}

/** Finds "the ending" for a change near the beginning, and the name of a section that the change is not in. */
function checkPlace(locator: Statement | undefined, { change, units, hunks }: Statement): readonly Finding[] {
  if (units.length !== 1) return []
  const places = hunks.map((hunk) => measurePlace(hunk, units[0]!))
  const [least, most] = [Math.min(...places), Math.max(...places)]
  const said = [
    ...(locator && !isRelative(locator.text) ? [locator.text] : []),
    ...(startsWithPlace.test(change!.title) ? [change!.title] : []),
  ]
  const wrong = said.flatMap((text): Finding[] => {
    const [begins, ends] = [hasWord(text, beginWords), hasWord(text, endWords)]
    if (begins && !ends && least > 0.5)
      return [{ code: 'wrong-unit', says: `“${text}”: the change is in the second half` }]
    if (ends && !begins && most < 0.5)
      return [{ code: 'wrong-unit', says: `“${text}”: the change is in the first half` }]
    return []
  })
  const isElsewhere =
    locator !== undefined && locator.clauses.length > 0 && locator.clauses.every((clause) => isOutside(clause, hunks))
  return isElsewhere ? [...wrong, { code: 'wrong-unit', says: `“${locator.text}”: the change is not there` }] : wrong
}

const placeWords = `${beginWords}|${endWords}|${prepositions}|${articles}|and|und|first|last|middle|near|before|after|line|paragraph|section`

/** True if the clause names only sections, and none of the hunks is in one of them. */
function isOutside({ text, subjects }: Clause, hunks: readonly Hunk[]): boolean {
  const parts = subjects.flatMap((subject) => (subject.kind === 'parts' ? subject.parts : []))
  const rest = text.replace(/⟦\d+⟧/g, ' ').replace(new RegExp(wordPattern(placeWords), 'giu'), ' ')
  return (
    parts.length > 0 && !/[\p{L}\p{N}]/u.test(rest) && !parts.some((part) => hunks.some((hunk) => isInPart(hunk, part)))
  )
}

/** `end of the first scene` says nothing about the chapter. */
const isRelative = (locator: string): boolean =>
  new RegExp(
    `${wordPattern(`${beginWords}|${endWords}`)}\\s+(?:of|von|des|der)\\s+(?!(?:the\\s+|this\\s+)?(?:${wholeNouns}))`,
    'iu',
  ).test(locator)

/** A title that only mentions an ending, such as "Foreshadows the ending", is about something else. */
const startsWithPlace = new RegExp(
  `^(?:[^:]{1,40}:\\s*)?(?:[\\p{L}-]+\\s+){0,2}?${wordPattern(`${beginWords}|${endWords}`)}`,
  'iu',
)

const isInPart = ({ before, after }: Hunk, part: Part): boolean =>
  (['before', 'after'] as const).some((side) => {
    const [text, own] = [collapseSpaces((side === 'before' ? before : after).text), collapseSpaces(part[side] ?? '')]
    return (
      text !== '' &&
      (own.includes(text) ||
        (own !== '' && text.includes(own)) ||
        text.replace(/^#+\s*/, '').toLowerCase() === part.name)
    )
  })

/** Where a hunk is in its unit: 0 is the first line with words, 1 the last. Of a single line, 0 is its first character. */
function measurePlace(hunk: Hunk, unit: KnownUnit): number {
  const side = hunk.after.text === '' ? 'before' : 'after'
  const above = unit.read[side].filled()
  const total = above.at(-1)!
  if (total <= 1) return Math.max(0, unit[side].indexOf(hunk[side].text)) / Math.max(1, unit[side].length)
  return Math.min(1, above[Math.max(0, hunk[side].start - 1)]! / (total - 1))
}

/** More than this share of a unit is no detail. */
const largeShare = 0.4

/** Finds "only minor wording changes" where much of the unit changed. */
function checkSmallness({ title, summary }: ChangeLabel, { units, hunks }: Statement): readonly Finding[] {
  const large = units.filter(
    (unit) =>
      measureHunks(
        unit,
        hunks.filter((hunk) => hunk.unit === unit.id),
      ) > largeShare,
  )
  if (large.length === 0 || hasWord(`${title} ${summary}`, largeWords)) return []
  const small = new RegExp(`${wordPattern(smallWords)}(?:\\s+[\\p{L}-]+){0,2}?\\s+${wordPattern(polishNouns)}`, 'iu')
  const only = new RegExp(`${wordPattern(onlyWords)}(?:\\s+[\\p{L}-]+){0,2}?\\s+${wordPattern(polishNouns)}`, 'iu')
  const said = [title, summary].find((text) => small.test(text) || only.test(text))
  if (said === undefined) return []
  const share = Math.round(
    100 *
      measureHunks(
        large[0]!,
        hunks.filter((hunk) => hunk.unit === large[0]!.id),
      ),
  )
  return [{ code: 'denies-change', says: `${share} % of ${large[0]!.label} is in these hunks` }]
}

const passiveMove = new RegExp(
  `${wordPattern('is|are|was|were|been|wird|werden|wurde|wurden')}\\s+(?:\\p{L}+\\s+){0,4}?${wordPattern(movedPattern)}`,
  'iu',
)

function checkType({ type, title, summary }: ChangeLabel, hunks: readonly Hunk[], known: Known): readonly Finding[] {
  const saysMoved = type === 'reorder' || passiveMove.test(title) || passiveMove.test(summary)
  if (saysMoved && !hasMove(hunks, known)) return [{ code: 'claims-change-where-none', says: 'nothing moved' }]
  const [shrinks, grows] = [
    hunks.every((hunk) => hunk.words_after < hunk.words_before),
    hunks.every((hunk) => hunk.words_after > hunk.words_before),
  ]
  if (type === 'add' && shrinks)
    return [{ code: 'direction-differs', says: 'it says that text was added; all of its hunks got shorter' }]
  if (type === 'remove' && grows)
    return [{ code: 'direction-differs', says: 'it says that text was removed; all of its hunks got longer' }]
  return []
}

/** Moves are under-reported, so a sentence that stands in another hunk counts as well, even a short one. */
function hasMove(hunks: readonly Hunk[], known: Known): boolean {
  if (hunks.some(({ moved }) => moved !== null)) return true
  const places = known.sentences()
  return hunks.some(({ id, before, after }) => {
    const old = listSentences(before.text)
    const isElsewhere = old.some((sentence) => [...(places.get(sentence) ?? [])].some((other) => other !== id))
    return isElsewhere || isReordered(old, listSentences(after.text))
  })
}

/** True if the sentences that both sides share come in another order. */
function isReordered(old: readonly string[], young: readonly string[]): boolean {
  const positions = new Map(young.map((sentence, at) => [sentence, at]))
  const common = old.flatMap((sentence) => positions.get(sentence) ?? [])
  return common.some((position, at) => at > 0 && position < common[at - 1]!)
}
