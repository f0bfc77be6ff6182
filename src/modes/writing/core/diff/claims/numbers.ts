import { measures, numberedNouns, prepositions } from './lexicon.ts'
import { wordPattern } from './match.ts'

/** A number in a text. `measure` is set if a unit of measure follows it. */
export type FoundNumber = {
  readonly value: number
  readonly at: number
  readonly end: number
  readonly isPercent: boolean
  /** `+15`, `-3`. */
  readonly sign: '+' | '-' | undefined
  readonly measure: { readonly kind: string; readonly amount: number } | undefined
  /** No noun follows: `61, a teacher`. */
  readonly isBare: boolean
}

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const klein =
  'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'.split(
    ' ',
  )
const zehner = 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' ')

/** Words to numbers, in English and German. */
const values: ReadonlyMap<string, number> = new Map([
  ...[small, klein].flatMap((words) => words.map((word, value) => [word, value] as const)),
  ...[tens, zehner].flatMap((words) => words.map((word, at) => [word, 20 + 10 * at] as const)),
  ...tens.flatMap((ten, at) =>
    small.slice(1, 10).map((one, index) => [`${ten}-${one}`, 21 + 10 * at + index] as const),
  ),
  ...zehner.flatMap((ten, at) =>
    klein.slice(1, 10).map((one, index) => [`${one === 'eins' ? 'ein' : one}und${ten}`, 21 + 10 * at + index] as const),
  ),
  ['hundred', 100],
  ['thousand', 1000],
  ['hundert', 100],
  ['tausend', 1000],
  ['dozen', 12],
  ['dutzend', 12],
])

const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')
const ordnung = 'erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft'.split(' ')

/** `third` and `dritten` are 3. */
export function readOrdinal(word: string): number | undefined {
  const plain = word.toLowerCase()
  const found = [ordinals.indexOf(plain), ordnung.indexOf(plain.replace(/e[nrsm]?$/u, ''))].find((at) => at >= 0)
  return found === undefined ? undefined : found + 1
}

/** `three` is 3. */
export const readCardinal = (word: string): number | undefined => values.get(word.toLowerCase())

/** Words that are numbers in a text, but too vague to be claimed: only texts are searched for them. */
const vague: ReadonlyMap<string, number> = new Map([
  ...'once twice thrice'.split(' ').map((word, at) => [word, at + 1] as const),
  ...['couple', 'pair', 'both', 'paar', 'beide', 'beiden', 'zweimal'].map((word) => [word, 2] as const),
  ['dreimal', 3],
])

const numberPattern =
  /(?<![\p{L}\p{N}.,])([+−-]?)(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}-])(\p{L}+(?:-\p{L}+)?)(?![\p{L}\p{N}])/gu

/** Finds numbers in digits and words. */
export function findNumbers(text: string): readonly FoundNumber[] {
  return [...text.matchAll(numberPattern)].flatMap((found) => {
    const [source, sign, digits, word] = found
    const value = digits === undefined ? values.get(word!.toLowerCase()) : Number(digits.replaceAll(',', ''))
    if (value === undefined) return []
    const end = found.index + source.length
    const rest = text.slice(end, end + 40)
    const isPercent = /^\s?(?:%|percent\b|per cent\b|prozent\b)/iu.test(rest)
    const mark = sign === '' || sign === undefined ? undefined : sign === '+' ? '+' : '-'
    return [
      {
        value,
        at: found.index,
        end,
        isPercent,
        sign: mark,
        measure: readMeasure(value, rest),
        isBare: !isNounNext(rest),
      } as const,
    ]
  })
}

const smallWord = new RegExp(`^\\s(?:${prepositions}|and|or|und|oder|uhr|o'clock)(?![\\p{L}])`, 'iu')

/** True unless a mark, a preposition or the end follows. */
const isNounNext = (rest: string): boolean => /^[\s-]\p{L}/u.test(rest) && !smallWord.test(rest)

const measurePatterns = measures.map(([words, kind, size]) => {
  return { pattern: new RegExp(`^[\\s-](?:more |full |long |whole )?(?:${words})(?![\\p{L}])`, 'iu'), kind, size }
})

function readMeasure(value: number, rest: string): FoundNumber['measure'] {
  const found = measurePatterns.find(({ pattern }) => pattern.test(rest))
  return found && { kind: found.kind, amount: value * found.size }
}

const reference = new RegExp(`${wordPattern(numberedNouns)}\\s+$`, 'iu')

/** `act two` and `chapter 3` are names. */
export const isReference = (text: string, { at }: Pick<FoundNumber, 'at'>): boolean =>
  reference.test(text.slice(Math.max(0, at - 20), at))

/** The numbers that a text mentions in any form. */
export type Numbers = {
  readonly values: ReadonlySet<number>
  readonly bare: ReadonlySet<number>
  readonly measures: ReadonlySet<string>
}

export function listNumbers(text: string): Numbers {
  const found = findNumbers(text)
  const ordered = (text.match(/\p{L}+/gu) ?? []).flatMap(
    (word) => vague.get(word.toLowerCase()) ?? readOrdinal(word) ?? [],
  )
  // Identifiers such as R12 count too.
  const digits = (text.match(/\d+/g) ?? []).map(Number)
  return {
    values: new Set([...found.map(({ value }) => value), ...ordered, ...digits]),
    bare: new Set(found.filter((number) => number.isBare && !isReference(text, number)).map(({ value }) => value)),
    measures: new Set(found.flatMap(({ measure }) => (measure ? [formatMeasure(measure)] : []))),
  }
}

export const formatMeasure = ({ kind, amount }: { readonly kind: string; readonly amount: number }): string =>
  `${kind} ${amount}`
