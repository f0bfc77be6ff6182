import { cleanText } from './clean.ts'
import { isDemand, isOrder } from './demands.ts'
import { parseField, rowAsLine } from './fields.ts'
import { findIds, findKind, type Id, idAt, isOnlyIds, type Kind, parseId } from './ids.ts'
import type { Item } from './item.ts'
import type { Node } from './outline.ts'
import { findSection } from './sections.ts'

export const isScenario = (text: string): boolean => /^\W{0,4}(?:scenario(?: outline)?|example):/i.test(text)
export const opensScenario = (text: string): boolean => isScenario(text) || /^\W{0,4}given\W{1,3}\w/i.test(text)
export const isUserStory = (text: string): boolean => /^[\W_]{0,6}(?:user story\W{1,6})?as an? [^\n]/i.test(text)
export const leadsWithOwnId = (text: string): boolean => {
  const { id } = leadingId(text)
  return id !== null && id.prefix !== '' && findKind(id) !== undefined
}

/** Whether every line of a paragraph starts with a number or id. */
export const isNumberedLines = (text: string): boolean =>
  text.split('\n').every((line) => leadingId(line).id !== null && !/^\W{0,6}\d+\W{0,6}$/.test(line))

/** Whether some heading below this one has fields, in which case each of them is an item. */
export const holdsFields = ({ children }: Node): boolean =>
  children.some((child) => child.sort === 'heading' && child.children.some(hasField))

/** Whether it contains items of this kind. Checkboxes count only as tasks: below a requirement they are criteria. */
export const holdsStories = ({ children }: Node, kind: Kind): boolean => children.some((child) => isStory(child, kind))

function hasField({ sort, text }: Node): boolean {
  if (sort === 'text') return text.split('\n', 20).some((line) => parseField(line) !== undefined)
  return sort === 'item' && parseField(text) !== undefined
}

function isStory({ sort, text, cells }: Node, kind: Kind): boolean {
  if (sort === 'heading') return findSection(text, kind) === undefined && !isScenario(text)
  if (sort === 'row') return rowAsLine(cells) !== undefined
  if (sort === 'text') return leadsWithOwnId(text) || isNumberedLines(text)
  const { box, text: unboxed } = withoutBox(text)
  return (box && kind === 'task') || leadingId(unboxed).id !== null || (isUserStory(text) && kind === 'user-story')
}

/** Whether a list item continues the previous item: a list below a paragraph, When and Then after Given. */
export function goesOn(node: Node, last: Item, demands: boolean): boolean {
  if (node.sort !== 'item') return false
  const { text } = withoutBox(node.text)
  if (/^\W{0,4}given\b/i.test(last.text)) return /^\W{0,4}(?:when|then|and|but)\b/i.test(text)
  if (demands && isDemand(text) && !isOrder(last.text)) return false
  return leadingId(text).id === null && !opensScenario(text)
}

/** Whether the line is a table of contents entry. */
const isJump = (text: string): boolean => /^\[[^\]]{0,300}\]\(#/.test(text)

/** Whether all of the line is crossed out. */
const isStruckOut = (text: string): boolean => /^~~[^~]{1,2000}~~\W{0,4}$/.test(text)

/** Returns the role of a line that is no item, whatever its section: a link, a line crossed out, or ids only. */
export function findPassingRole(text: string, box: boolean): readonly ['context' | 'excluded', string] | undefined {
  if (isJump(text)) return ['context', 'a link inside the document']
  if (isStruckOut(text)) return ['excluded', 'crossed out']
  return !box && isMention(text) ? ['context', 'only mentions ids'] : undefined
}

/** Returns the first line without `Scenario:`. */
export const readScenarioName = (text: string): string => cleanText(text.split('\n', 1)[0]!).replace(/^[^:]{0,40}:/, '')

type Box = { readonly box: boolean; readonly text: string }

/** Strips `[ ]`, `[x]` or `[ ]*`. A tick is ignored, because it is only a claim. */
export function withoutBox(raw: string): Box {
  const match = /^\[[ xX~-]?\]\*?\s+/.exec(raw)
  return { box: match !== null, text: raw.slice(match?.[0].length ?? 0).replace(/^[✅☑✔❌⏳🚧⬜🔲]\ufe0f?\s+/u, '') }
}

/** A line split into its id and the rest. `weak` is an id such as T1 that nothing sets off from the text after it. */
type Led = { readonly id: Id | null; readonly rest: string; readonly weak?: true }

const before = /[*_`[(~]{0,6}/y
const after = /[*_`\])~]{0,6}(?:\s{0,3}[:.–—|-](?=\s|\*|_|$))?[*_`:]{0,6}\s{0,8}/y

/** Splits a line into its leading id and the rest: `**AC-01:** text`, `T001 [P] text`, `Task T-1: title`, `1.2 Text`. */
export function leadingId(raw: string): Led {
  const start = matchEnd(before, raw, 0)
  const led = splitLead(raw, start)
  const [marks] = /\*\*|__/.exec(raw.slice(0, start)) ?? []
  const isClosed = marks === undefined || raw.slice(start, raw.length - led.rest.length).includes(marks)
  return led.id === null || isClosed ? led : { ...led, rest: led.rest.replace(marks, '') }
}

function splitLead(raw: string, start: number): Led {
  const word = /^(?:task|story|user story|requirement|feature) {1,2}(?=[A-Za-z]+-?\d)/i.exec(
    raw.slice(start, start + 30),
  )
  const from = start + (word?.[0].length ?? 0)
  const found = idAt(raw, from)
  // In backticks, `c2f 100` is a command and c2f is not an id.
  if (found && raw.slice(0, start).includes('`') && raw[found.end] !== '`') return { id: null, rest: raw }
  if (found) {
    const end = matchEnd(after, raw, found.end)
    const marked = raw.slice(from + found.id.shown.length, end).trim() !== '' || start > 0
    const rest = raw.slice(end)
    if (isMeant(found.id, marked, rest === '')) return { id: found.id, rest }
    return /^T\d$/.test(found.id.shown) ? { id: found.id, rest, weak: true } : { id: null, rest: raw }
  }
  return leadingNumber(raw, start)
}

/** Accepts `1. Text` and `1.2 Text`, but not `3 retries` or `2.5 seconds`. */
function leadingNumber(raw: string, start: number): Led {
  const match = /^\d{1,4}(?:\.\d{1,4}){0,4}[.)]?[*_`]{0,4}\s{1,4}(?=[\p{Lu}\p{Extended_Pictographic}`*[])/u.exec(
    raw.slice(start, start + 60),
  )
  const number = match ? idAt(raw, start, true) : undefined
  const dotted = match && /[.)]/.test(match[0])
  return number && dotted ? { id: number.id, rest: raw.slice(start + match[0].length) } : { id: null, rest: raw }
}

/** Accepts `T001 text` and `AUTH-3: text`, but not `HTTP2 is used`. P0 is a priority. */
function isMeant(id: Id, marked: boolean, alone: boolean): boolean {
  if (/^P\d$/i.test(id.shown)) return false
  if (marked || alone) return true
  if (!findKind(id)) return false
  return id.prefix.length > 1 || /[-_]/.test(id.shown) || /\d{2}/.test(id.shown)
}

const weakTask = /^[ \t>]{0,20}(?:[-*+] |\d{1,4}[.)] |#{1,6} )?[ \t]{0,4}(?:\[[ xX]\] )?[*_]{0,3}(T\d)(?!\w)/gm

/** Whether T1, T2, … are the document's ids. A T3 alone may be anything. */
export const hasShortIds = (text: string): boolean =>
  new Set(Array.from(text.matchAll(weakTask), ([, id]) => id)).size > 1

const joint = /^\s{0,3}(?:,|;|&|\+|\/|and\b|or\b|to\b|through\b|–|—|-{0,2}>|={1,2}>|<?[→⇒➜⟶↔]|<-{1,2}>?)\s{0,3}/

/** Whether the line says which ids belong together, and defines none: `US-1 → T-3`, `T-1, T-2 are small`, `FR-1: AC-1, AC-2`. */
export function isMention(text: string): boolean {
  const { id, rest } = leadingId(text)
  if (!id || id.prefix === '' || rest === '') return false
  const next = joint.exec(rest)?.[0].length
  return (next !== undefined && idAt(rest, next) !== undefined) || (isOnlyIds(rest) && findIds(rest).length > 0)
}

function matchEnd(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return from + (pattern.exec(text)?.[0].length ?? 0)
}

const tags = /^\s{0,3}\[([A-Za-z]{1,4}-?\d{0,6})\]/

/** Strips spec-kit tags: `[P]` for parallel, `[US1]` for the story it belongs to. */
export function takeTags(rest: string): { covers: Id[]; rest: string } {
  const covers: Id[] = []
  let left = rest
  for (let match = tags.exec(left); match; match = tags.exec(left)) {
    const id = parseId(match[1]!)
    if (id) covers.push(id)
    left = left.slice(match[0].length)
  }
  return { covers, rest: left.trimStart() }
}
