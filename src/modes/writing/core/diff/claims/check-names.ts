import { checkRemoved, countWord, readScope } from './check-removed.ts'
import type { Clause } from './clauses.ts'
import type { Known } from './known.ts'
import { contrastWords, everywhereWords, numberedNouns, renameWords } from './lexicon.ts'
import { hasWord, listStems } from './match.ts'
import { findNumbers } from './numbers.ts'
import type { Finding, Statement } from './statement.ts'
import { isName } from './words.ts'

/** Checks what a statement says about people and things of the text: that they are gone, renamed, replaced, or were there at all. */
export function checkNames(statement: Statement, known: Known): readonly Finding[] {
  const { field, clauses } = statement
  if (field === 'why' || field === 'locator') return []
  return clauses.flatMap((clause) => {
    if (field === 'before' || field === 'after')
      return [...checkSide(clause, field, known), ...checkUnknown(clause, known)]
    return [
      ...checkRemoved(clause, statement, known),
      ...checkReplaced(clause, statement),
      ...checkRenamed(clause, statement, known),
      ...(field === 'whole' ? [] : checkUnknown(clause, known)),
    ]
  })
}

const nounPhrase = "(?:[\\p{L}\\p{N}][\\p{L}\\p{N}'’-]*\\s+){0,3}[\\p{L}\\p{N}][\\p{L}\\p{N}'’-]*"
const replaces = new RegExp(`(?<young>${nounPhrase})\\s+(?:replaces|ersetzt)\\s+(?<old>${nounPhrase})`, 'iu')
const isReplaced = new RegExp(
  `(?<old>${nounPhrase})\\s+(?:is|was|are|were|wird|wurde)\\s+(?:replaced by|durch)\\s+(?<young>${nounPhrase})`,
  'iu',
)

/** `A replaces B`: A is new and B was there before. */
function checkReplaced({ said }: Clause, { hunks }: Statement): readonly Finding[] {
  const found = replaces.exec(said) ?? isReplaced.exec(said)
  if (!found) return []
  const old = new Set(hunks.flatMap(({ before }) => listStems(before.text)))
  const young = new Set(hunks.flatMap(({ after }) => listStems(after.text)))
  const isOnlyIn = (words: string, one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => {
    const stems = listStems(words)
    return (
      stems.some((stem) => one.has(stem) && !other.has(stem)) &&
      !stems.some((stem) => other.has(stem) && !one.has(stem))
    )
  }
  const isSwapped = isOnlyIn(found.groups!.young!, old, young) && isOnlyIn(found.groups!.old!, young, old)
  return isSwapped ? [{ code: 'direction-differs', says: 'it is the other way round' }] : []
}

/** `renamed everywhere`: the old name no longer occurs. */
function checkRenamed(clause: Clause, statement: Statement, known: Known): readonly Finding[] {
  const { change } = statement
  const isRename = hasWord(clause.said, renameWords) || change?.type === 'rename'
  if (
    !isRename ||
    !hasWord(clause.said, everywhereWords) ||
    hasWord(clause.said, 'most|nearly|almost|except|meist|fast|außer')
  )
    return []
  const units = readScope(clause, statement, known)
  const names = [...(change?.facts.map(({ from }) => from) ?? []), ...(clause.said.match(/\p{Lu}\p{L}+/gu) ?? [])]
  const left = names
    .flatMap((name) => name.split(/\s+/))
    .find((name) => isName(name, known.spellings()) && isFading(name, known) && countWord(units, 'after', name) > 0)
  return left === undefined ? [] : [{ code: 'denies-change', says: `"${left}" still occurs` }]
}

/** True for a name that the new texts have less often than the old ones. */
const isFading = (name: string, { units }: Known): boolean =>
  countWord(units, 'after', name) < countWord(units, 'before', name)

/** The first word of a sentence has a capital anyway. */
const listNames = (text: string): readonly string[] =>
  isTitleCase(text) ? [] : [...text.matchAll(/(?<=[\p{L}\p{N},]\s+)\p{Lu}\p{Ll}+(?![\p{L}])/gu)].map(([name]) => name)

/** A name in a gist must occur in the text of that side. */
function checkSide({ said, text }: Clause, side: 'before' | 'after', known: Known): readonly Finding[] {
  if (hasWord(said, contrastWords)) return []
  const other = side === 'before' ? 'after' : 'before'
  return listNames(text)
    .filter((name) => countWord(known.units, side, name) === 0 && countWord(known.units, other, name) > 0)
    .filter((name) => isName(name, known.spellings()))
    .map((name) => ({ code: 'direction-differs', says: `"${name}" is only in the text ${other} the change` }))
}

/** A name or a number such as R7 must occur somewhere. */
function checkUnknown({ said, text }: Clause, known: Known): readonly Finding[] {
  const names = isGerman(said)
    ? []
    : listNames(text).filter(
        (name) => !isAdjective(name) && !hasWord(name, numberedNouns) && findNumbers(name).length === 0,
      )
  const ids = text.match(/(?<![\p{L}\p{N}])(?!C\d)[A-Z]{1,5}-?\d+(?![\p{L}\p{N}])/gu) ?? []
  return [...names, ...ids]
    .filter((name) => countWord(known.units, 'before', name) + countWord(known.units, 'after', name) === 0)
    .filter(
      (name) =>
        !known.request.toLowerCase().includes(name.toLowerCase()) &&
        !known.units.some(({ label }) => label.includes(name)),
    )
    .map((name) => ({ code: 'fact-not-found', says: `"${name}" occurs nowhere` }))
}

/** Titles such as "The Price of Silence" write most words with a capital. */
function isTitleCase(text: string): boolean {
  const words = text.match(/\p{L}{4,}/gu) ?? []
  return words.length > 1 && words.filter((word) => /^\p{Lu}/u.test(word)).length > words.length / 2
}

/** `Gothic` and `Victorian` describe the text; nobody needs to say them in it. */
const isAdjective = (name: string): boolean => /(?:ic|an|ish|ese|esque)$/u.test(name)

/** In German each noun has a capital. */
const isGerman = (text: string): boolean =>
  hasWord(
    text,
    'der|die|das|und|ist|ein|eine|den|dem|des|im|auf|nicht|am|kein|keine|mehr|mit|von|nach|sich|aus|bei|jetzt|wird|wurde',
  )
