import { cleanText, cutText } from './clean.ts'
import { findIds, type Id, idAt, isOnlyIds } from './ids.ts'
import type { Need } from './item.ts'

// Binding phrases always state a dependency; loose ones, such as "after", only if an id follows directly.
const binding =
  /\b(?:depends? (?:up)?on|dependent on|depending on|depends|dependenc(?:y|ies)|blocked (?:by|on)|prerequisites?)\b:? {0,3}/gi
const loose = /\b(?:after|once|requires|needs|following|builds on) {1,3}/gi
const negated = /(?:not|never|n't|no longer|nothing|without|no)\s{1,3}(?:yet |longer )?$/i
const anything = /depend|after|once|requires|needs|following|builds on|blocked|prerequisite/i

/** Finds dependencies in a sentence: "Depends on AC-01 and AC-02", "(after T003)". */
export function findNeeds(raw: string, line: number, numbers: boolean): Need[] {
  if (!/\d/.test(raw) || !anything.test(raw)) return []
  const text = cleanText(raw)
  return [...findPhrases(text, binding, numbers, line, 'words'), ...findPhrases(text, loose, numbers, line, 'passing')]
}

function findPhrases(
  text: string,
  pattern: RegExp,
  numbers: boolean,
  line: number,
  certainty: Need['certainty'],
): Need[] {
  const found: Need[] = []
  for (const match of text.matchAll(pattern)) {
    if (negated.test(text.slice(Math.max(0, match.index - 20), match.index))) continue
    const { ids, end } = parseIdList(text, match.index + match[0].length, numbers && certainty === 'words')
    if (ids.at(-1)?.prefix === '' && !isNumberOfTask(ids.at(-1)!, text, end)) continue
    const wording = cutText(text.slice(match.index, end), 100)
    for (const on of ids) found.push({ on, wording, line, certainty })
  }
  return found
}

/** "depends on 2.2" and "depends on 2." name tasks, "depends on 2 services" does not. */
const isNumberOfTask = ({ numbers }: Id, text: string, end: number): boolean =>
  numbers.length > 1 || /^\s{0,3}(?:$|[).,;])/.test(text.slice(end, end + 4))

/** Whether a text states dependencies and nothing else. */
export const isOnlyNeeds = (raw: string, needs: readonly Need[]): boolean => {
  const text = cleanText(raw)
  return (
    needs.length > 0 && text.length <= 100 && text.replace(/^\(/, '').replace(/[.)]{1,2}$/, '') === needs[0]!.wording
  )
}

const nothing = /^\W*(?:$|(?:none|nothing|nil|null|n\/a|na|no|tbd)\b(?!-\d))/i

/** Whether a field says that there is no dependency: `none`, `-`, `n/a`, `Nothing (first phase)`. */
export const isNoNeed = (text: string): boolean => nothing.test(text)

/**
 * Finds the ids in a field such as `Depends: T-1, T-2`. Without an id, its words may be titles. An arrow shows an order and not a
 * dependency of this item.
 */
export const findFieldNeeds = (raw: string, said: string, line: number, numbers: boolean): Need[] => {
  const text = cleanText(raw)
  if (isNoNeed(text) || /->|=>|[→⇒➜⟶]/.test(text)) return []
  const ids: Id[] = []
  let end = 0
  for (const found of findIds(text, numbers)) {
    if (found.at < end) continue
    const list = parseIdList(text, found.at, numbers)
    ids.push(...list.ids)
    end = list.end
  }
  const words = cutText(cleanText(`${said} ${text}`), 100)
  const certainty = isOnlyIds(text.replace(/\([^()]{0,200}\)/g, ''), numbers) ? 'field' : 'words'
  return (ids.length > 0 ? ids : findTitles(text)).map((on) => ({ on, wording: words, line, certainty }))
}

/** Tries the complete text and its parts, because a title may contain a comma. */
const findTitles = (text: string): string[] =>
  text === '' || text.length > 500 ? [] : [...new Set([text, ...text.split(/[,;]|\band\b/)])]

const between =
  /[\s`*[\](]{0,4}(?:(,|;|&|\+|\/|and\b|or\b)|(–|—|-|\.\.\.?|to\b|through\b))?[\s`*[\](]{0,4}(?:and\b)?[\s`*[\](]{0,4}/iy
const opening = /[\s`*[\](]{0,4}(?:on\b)?[\s`*[\](]{0,4}/iy

/** Parses a list of ids: `T001, T002 and T003`, `AC-01 to AC-03`. */
function parseIdList(text: string, from: number, numbers: boolean): { ids: Id[]; end: number } {
  const ids: Id[] = []
  let at = skip(opening, text, from)
  let end = from
  let isRange = false
  for (let found = idAt(text, at, numbers); found; found = idAt(text, at, numbers)) {
    if (isRange) ids.push(...idsBetween(ids.at(-1)!, found.id))
    ids.push(found.id)
    end = found.end
    between.lastIndex = end
    const gap = between.exec(text)
    if (!gap || (gap[1] === undefined && gap[2] === undefined)) break
    isRange = gap[2] !== undefined
    at = end + gap[0].length
  }
  return { ids, end }
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return from + (pattern.exec(text)?.[0].length ?? 0)
}

const maxRange = 1000

/** Returns the ids inside a range, without its ends. */
function idsBetween(first: Id, last: Id): Id[] {
  const [from, to] = [first.numbers.at(-1)!, last.numbers.at(-1)!]
  if (first.prefix !== last.prefix || first.numbers.length !== last.numbers.length || to - from > maxRange) return []
  const head = first.numbers.slice(0, -1)
  return Array.from({ length: Math.max(0, to - from - 1) }, (_, index) => {
    const numbers = [...head, from + 1 + index]
    const key = `${first.prefix}:${numbers.join('.')}`
    return { shown: key.replace(':', first.prefix === '' ? '' : '-'), key, prefix: first.prefix, numbers, rest: '' }
  })
}
