import type { Level } from '../../contract/project-type.ts'

/** The parts of a series that a feedback names: "chapter 3", "chapters 2-4 and 7", "the last chapter", "foundation". */
export type Scope = { readonly numbers: ReadonlySet<number>; readonly lead: boolean }

/** Undefined if the feedback names none: then every file may change. */
export function findScope(feedback: string, level: Level, numbers: readonly number[]): Scope | undefined {
  const { series } = level
  if (!series) return undefined
  const named = new Set<number>()
  for (const [, list] of feedback.matchAll(numbersAfter(series.one, series.many))) {
    for (const number of expandList(list!)) if (number <= maxNumber) named.add(number)
  }
  const ordered = numbers.toSorted((a, b) => a - b)
  for (const [, which] of feedback.matchAll(ordinalBefore(series.one))) {
    const number = findOrdinal(which!.toLowerCase(), ordered)
    if (number !== undefined) named.add(number)
  }
  const lead = series.lead !== undefined && hasWord(feedback, series.lead.replace(/\.[^.]*$/, ''))
  return named.size > 0 || lead ? { numbers: named, lead } : undefined
}

const maxNumber = 9999
const separator = String.raw`\s*(?:,|;|&|\band\b|\bto\b|\bthrough\b|\bund\b|\bbis\b|-|–|—)\s*`

/** Matches "chapter 3", "chapters 2, 4 and 6-8", "ch. 5". Linear: each part begins with a digit. */
function numbersAfter(one: string, many: string): RegExp {
  const short = one.slice(0, 2)
  const names = [many, one, `${short}\\.?`].map((name) => (name.endsWith('?') ? name : escapeExpression(name)))
  return new RegExp(String.raw`\b(?:${names.join('|')})\s*#?(\d{1,4}(?:${separator}#?\d{1,4})*)\b`, 'giu')
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']
const fromEnd: Readonly<Record<string, number>> = { last: -1, final: -1, opening: 0 }

const ordinalBefore = (one: string): RegExp =>
  new RegExp(String.raw`\b(${[...ordinals, ...Object.keys(fromEnd)].join('|')})\s+${escapeExpression(one)}\b`, 'giu')

function findOrdinal(which: string, ordered: readonly number[]): number | undefined {
  const at = fromEnd[which] ?? ordinals.indexOf(which)
  return ordered.at(at)
}

/** "2-4 and 7" is 2, 3, 4, 7. */
function expandList(list: string): number[] {
  const found: number[] = []
  let before: number | undefined
  for (const [, joint = '', digits] of list.matchAll(/([^\d]*)(\d+)/g)) {
    const number = Number(digits)
    const isRange = before !== undefined && /-|–|—|\bto\b|\bthrough\b|\bbis\b/iu.test(joint) && number - before <= 200
    if (isRange) for (let next = before! + 1; next < number; next += 1) found.push(next)
    found.push(number)
    before = number
  }
  return found
}

const hasWord = (text: string, word: string): boolean =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])${escapeExpression(word)}(?![\p{L}\p{N}])`, 'iu').test(text)

const escapeExpression = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
