import { countWords } from '../text/words.ts'
import type { Clause, Subject } from './clauses.ts'
import { growWords, longerWords, shorterWords, shrinkWords, wholeNouns } from './lexicon.ts'
import { hasWord, wordPattern } from './match.ts'
import { findNumbers } from './numbers.ts'
import type { Finding, Statement } from './statement.ts'

type Size = { readonly before: number; readonly after: number }

/** Percentages are rounded, and "about 20 %" is no measurement. */
const leastDifference = 5
const leastRatio = 0.5

/** Checks what a statement says about lengths: that a chapter got longer, that the text lost 30 % of its words. */
export function checkSizes(statement: Statement): readonly Finding[] {
  return statement.clauses.flatMap((clause) => {
    const direction = readDirection(clause)
    if (direction === undefined) return []
    const sizes = listSizes(statement, clause, direction.subject)
    const percent = readPercent(clause.text)
    const isTrue = sizes.some((size) => isRight(size, direction.grows, percent))
    if (sizes.length === 0 || isTrue) return []
    const truth = sizes.map(({ before, after }) => `${before} -> ${after}`)
    return [
      {
        code: percent === undefined ? 'direction-differs' : 'count-differs',
        says: `words: ${truth.join(', ')}`,
      } as const,
    ]
  })
}

type Direction = { readonly grows: boolean; readonly subject: Subject | 'whole' }

const between = '(?:[^.,;:⟦⟧]{0,30}?)'
/** `longer sentences` says nothing about the chapter. */
const notBeforeNoun =
  '(?=\\s*(?:$|[.,;:!)]|(?:now|than|by|overall|and|or|with|because|to|from|in|um|als|geworden|jetzt|insgesamt|und)(?![\\p{L}])))'
const sizeNoun = `(?:${wholeNouns}|word\\s?count|word\\s?counts|length|länge)`

/** Undefined if the clause says nothing about a length. */
function readDirection({ text, subjects }: Clause): Direction | undefined {
  for (const [words, grows] of [
    [longerWords, true],
    [shorterWords, false],
  ] as const) {
    const named = new RegExp(`⟦(\\d+)⟧${between}${wordPattern(words)}${notBeforeNoun}`, 'iu').exec(text)
    if (named) return { grows, subject: subjects[Number(named[1])]! }
    if (new RegExp(`${wordPattern(sizeNoun)}${between}${wordPattern(words)}${notBeforeNoun}`, 'iu').test(text))
      return { grows, subject: 'whole' }
  }
  const count = new RegExp(`${wordPattern('word\\s?count|wortzahl|words|wörter')}`, 'iu').exec(text)
  const sign = findNumbers(text).find(({ isPercent }) => isPercent)?.sign
  if (!count) return undefined
  if (sign !== undefined) return { grows: sign === '+', subject: 'whole' }
  if (readPercent(text) === undefined) return undefined
  if (hasWord(text, growWords)) return { grows: true, subject: 'whole' }
  return hasWord(text, shrinkWords) ? { grows: false, subject: 'whole' } : undefined
}

const readPercent = (text: string): number | undefined => findNumbers(text).find(({ isPercent }) => isPercent)?.value

/** What the clause may mean. A length that nobody named may be that of the passage, of the unit or of a unit that is mentioned. */
function listSizes({ change, units, hunks }: Statement, clause: Clause, subject: Subject | 'whole'): readonly Size[] {
  const sum = (sizes: readonly Size[]): Size => ({
    before: sizes.reduce((total, { before }) => total + before, 0),
    after: sizes.reduce((total, { after }) => total + after, 0),
  })
  const ofUnit = (unit: { words_before: number; words_after: number }): Size => ({
    before: unit.words_before,
    after: unit.words_after,
  })
  if (subject === 'whole') {
    const place = /(?:in|of|for|von)\s+⟦(\d+)⟧/iu.exec(clause.text)?.[1]
    const one = place === undefined ? undefined : clause.subjects[Number(place)]
    const mentioned = one?.kind === 'units' ? one.units : []
    if (mentioned.length > 0) return mentioned.map(ofUnit)
    return [sum(units.map(ofUnit)), ...(change === null ? [] : [sum(hunks.map(ofUnit))])]
  }
  if (subject.kind === 'units') return subject.units.map(ofUnit)
  if (subject.kind === 'parts')
    return [
      sum(
        subject.parts.map(({ before, after }) => ({
          before: countWords(before ?? ''),
          after: countWords(after ?? ''),
        })),
      ),
    ]
  return []
}

function isRight({ before, after }: Size, grows: boolean, percent: number | undefined): boolean {
  const actual = before === 0 ? (after > 0 ? 100 : 0) : (100 * (after - before)) / before
  if (grows ? actual <= 0 : actual >= 0) return false
  if (percent === undefined) return true
  return Math.abs(Math.abs(actual) - percent) <= Math.max(leastDifference, leastRatio * percent)
}
