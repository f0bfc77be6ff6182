import type { DiffLabels } from '../../../contract/diff-labels.ts'
import { type Known, type Read, readLater } from './known.ts'
import { containsQuote, listStems } from './match.ts'
import { findNumbers, formatMeasure } from './numbers.ts'
import type { Finding, Statement } from './statement.ts'

type Side = 'before' | 'after'

/** True if the quote stands on that side of one of the units. */
export const searchQuote = (quote: string, side: Side, units: Statement['units']): boolean =>
  units.some(({ read }) => containsQuote(read[side].searchable(), quote))

/** Checks the facts of a change: the old value was there, the new one is, and one of them is in the hunks. */
export function checkFacts({ change, units, hunks }: Statement): readonly Finding[] {
  return (change?.facts ?? []).flatMap(({ entity, from, to }): Finding[] => {
    const isMissing = (value: string, side: Side): boolean =>
      !isNothing(value) && !units.some(({ read }) => hasValue(read[side], value))
    if (isMissing(from, 'before'))
      return [{ code: 'fact-not-found', says: `${entity}: the old text does not say "${from}"` }]
    if (isMissing(to, 'after'))
      return [{ code: 'fact-not-found', says: `${entity}: the new text does not say "${to}"` }]
    if (isNothing(from) && isNothing(to)) return []
    const isTouched = hunks.some(
      ({ before, after }) =>
        (!isNothing(from) && hasValue(readLater(before.text), from)) ||
        (!isNothing(to) && hasValue(readLater(after.text), to)),
    )
    return isTouched
      ? []
      : [{ code: 'claims-change-where-none', says: `${entity}: no hunk changes "${from}" to "${to}"` }]
  })
}

/** "none" and "-" stand for nothing. */
const isNothing = (value: string): boolean =>
  /^[\s\p{P}]*(?:none|nothing|absent|n\/a|null|keine?|nichts)?[\s\p{P}]*$/iu.test(value)

/** True if a text has the phrase, or at least all of its words in some form. Numbers may be written in words. */
function hasValue({ searchable, stems, numbers }: Read, phrase: string): boolean {
  if (containsQuote(searchable(), phrase)) return true
  const measured = findNumbers(phrase).filter(({ measure }) => measure)
  if (measured.some(({ measure }) => !numbers().measures.has(formatMeasure(measure!)))) return false
  const wanted = listStems(phrase)
  return (
    wanted.length > 0 &&
    wanted.every((stem) => stems().has(stem) || findNumbers(stem).some(({ value }) => numbers().values.has(value)))
  )
}

/** Checks the tone if the text itself names one: who quotes the old value has to quote the new one. */
export function checkTone({ impact }: DiffLabels, known: Known): readonly Finding[] {
  const { tone } = impact
  const fields = known.parts.filter(
    ({ name, before, after }) => /^(?:tone|ton|tonalität)$/u.test(name) && before !== after,
  )
  if (tone === null || !fields.some(({ before }) => before !== undefined && hasValue(readLater(before), tone.from)))
    return []
  const isKnown = fields.some(
    ({ after }) => after !== undefined && listStems(tone.to).some((stem) => listStems(after).includes(stem)),
  )
  return isKnown ? [] : [{ code: 'fact-not-found', says: `the new tone is not "${tone.to}"` }]
}

const mostQuotes = 10

/** Checks passages that a statement puts in quotes. Shorter ones may be names or irony. */
export function checkInlineQuotes({ text, field }: Statement, known: Known): readonly Finding[] {
  if (!['title', 'summary', 'before', 'after'].includes(field)) return []
  return [...text.slice(0, 4000).matchAll(/["“„«»]([^"“”„«»]{12,}?)["”“«»]/gu)]
    .slice(0, mostQuotes)
    .flatMap(([, quote]): Finding[] => {
      if (quote!.trim().split(/\s+/).length < 4) return []
      const isThere = (['before', 'after'] as const).some((side) => searchQuote(quote!, side, known.units))
      return isThere ? [] : [{ code: 'quote-not-found', says: `nobody wrote "${quote}"` }]
    })
}
