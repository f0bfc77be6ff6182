import type { Clause } from './clauses.ts'
import type { Known, KnownUnit } from './known.ts'
import { articles, fillers, negations, prepositions, wholeNouns } from './lexicon.ts'
import { hasWord, listStems, stemWord, wordPattern } from './match.ts'
import { findNumbers } from './numbers.ts'
import type { Finding, Statement } from './statement.ts'
import { isName } from './words.ts'

/** Words that say that something is no longer in a text. `gone` and `cut` may be part of the story. */
const removedWords = 'removed|deleted|eliminated|excised|gestrichen|entfernt|gelöscht'
const goneOf = new RegExp(
  `(?<subject>[^.;:!?]{1,80}?)(?<between>(?:\\s+(?:${fillers}|${negations}))*)\\s+(?:${removedWords}|(?:cut|dropped)(?=\\s+(?:from|out)))(?![\\p{L}])(?<after>.{0,40})`,
  'iu',
)
/** `Livia no longer appears in chapter 4`. */
const absentOf =
  /(?<subject>[^.;:!?]{1,80}?)(?<between>)\s+(?:no\s+longer\s+(?:appears?|occurs?|exists?)|(?:kommt|taucht|erscheint)(?=[^.;:!?]*\snicht\s+mehr))(?![\p{L}])(?<after>.{0,40})/iu

/** `Pell and the letter were removed`: a name must no longer occur, a thing must occur less often than before. */
export function checkRemoved(clause: Clause, statement: Statement, known: Known): readonly Finding[] {
  const absent = absentOf.exec(clause.text)
  const found = absent ?? goneOf.exec(clause.text)
  if (!found || hasWord(found.groups!.between!, negations)) return []
  const isFromText = absent !== null || isText(found.groups!.after!, clause)
  // "Removed from office" is part of the story.
  if (!isFromText && /^\s+(?:from|out\s+of|aus|von)\s/iu.test(found.groups!.after!)) return []
  const units = readScope(clause, statement, known)
  return listNouns(found.groups!.subject!).flatMap((noun): Finding[] => {
    const [old, young] = [countWord(units, 'before', noun), countWord(units, 'after', noun)]
    if (old === 0 || young === 0) return []
    const isThere = isName(noun, known.spellings()) || (young >= old && (isFromText || !isInHunks(noun, statement)))
    const says = `"${noun}" is still there: ${old} times before, ${young} times after`
    return isThere ? [{ code: 'claims-change-where-none', says }] : []
  })
}

const textNouns = `${wholeNouns}|scene|list|section|paragraph|szene|liste|abschnitt|absatz|plot|handlung|cast`
const fromText = new RegExp(
  `^\\s+(?:from|out\\s+of|in|aus|von)\\s+(?:(?:the|this|all|whole|entire|dem|der|diesem|den)\\s+){0,2}(?:⟦(?<mark>\\d+)⟧|${wordPattern(textNouns)}|it(?![\\p{L}]))`,
  'iu',
)

/** True if what follows names the text or a list of it, and not a book in the story. */
function isText(after: string, { subjects }: Clause): boolean {
  const found = fromText.exec(after)
  if (!found) return false
  const { mark } = found.groups!
  const subject = mark === undefined ? undefined : subjects[Number(mark)]!
  return subject?.kind !== 'parts' || subject.parts.some(({ items }) => items.before.length > 0)
}

const isInHunks = (noun: string, { hunks }: Statement): boolean => {
  const stem = stemWord(noun)
  return hunks.some(({ before, after }) => [before, after].some(({ text }) => listStems(text).includes(stem)))
}

/** The names and nouns of a list such as "the journalist, the key of the cook and Pell". A number of things is no thing. */
function listNouns(phrase: string): readonly string[] {
  return phrase.split(/,|\(|\)|(?<![\p{L}])(?:and|und|or|oder|&)(?![\p{L}])/iu).flatMap((part) => {
    const [head, qualified] = part.trim().split(new RegExp(`\\s+(?:${prepositions})(?:\\s+|$)`, 'iu')) as [
      string,
      string?,
    ]
    // "The stop about Voss" is one stop of many.
    if (qualified !== undefined && !/\p{Lu}\p{L}*$/u.test(head)) return []
    if (/⟦/.test(head) || /^(?:a|an|one|some|several|ein|eine|einige)\s/iu.test(head) || findNumbers(head).length > 0)
      return []
    const noun = (head.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []).at(-1)
    return noun === undefined || noun.length < 2 || hasWord(noun, articles) ? [] : [noun]
  })
}

/** `from the novel` and `from all chapters` mean everything, `from chapter 2` one unit. Otherwise it is about the units of the change. */
export function readScope({ text, subjects }: Clause, statement: Statement, known: Known): readonly KnownUnit[] {
  const named = /(?:from|out of|aus|in)\s+⟦(\d+)⟧/iu.exec(text)
  const subject = named && subjects[Number(named[1])]
  if (subject?.kind === 'quantity' && subject.count === 'all') return known.units
  if (subject?.kind === 'units' && subject.units.length > 0) return subject.units
  const isWhole =
    /(?:from|out of|aus)\s+(?:the|dem|der)\s+(?:whole\s+)?(?:novel|book|story|serial|roman|buch|geschichte)/iu.test(
      text,
    )
  return isWhole ? known.units : statement.units
}

/** Counts a word in any of its forms. */
export function countWord(units: readonly KnownUnit[], side: 'before' | 'after', word: string): number {
  const stem = stemWord(word)
  return units.reduce((sum, { read }) => sum + (read[side].stems().get(stem) ?? 0), 0)
}
