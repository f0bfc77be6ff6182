import { fieldIn } from './fields.ts'
import { kindOfPrefix } from './ids.ts'
import type { Item } from './item.ts'
import type { Kind } from './kinds.ts'
import { leadingId, withoutBox } from './lead.ts'
import type { Node } from './outline.ts'
import { sectionOf } from './sections.ts'
import { rowAsLine } from './table-row.ts'

export const isScenario = (text: string): boolean => /^\W{0,4}(?:scenario(?: outline)?|example):/i.test(text)
export const opensScenario = (text: string): boolean => isScenario(text) || /^\W{0,4}given\W{1,3}\w/i.test(text)
export const isUserStory = (text: string): boolean => /^[\W_]{0,6}(?:user story\W{1,6})?as an? [^\n]/i.test(text)
export const isDemand = (text: string): boolean =>
  /\b(?:must|shall|should|needs? to|muss|müssen|soll|sollen)\b/i.test(text)
export const leadsWithOwnId = (text: string): boolean => {
  const { id } = leadingId(text)
  return id !== null && id.prefix !== '' && kindOfPrefix(id) !== undefined
}

/** Every line of a paragraph has a number or an id of its own. */
export const isNumberedLines = (text: string): boolean =>
  text.split('\n').every((line) => leadingId(line).id !== null && !/^\W{0,6}\d+\W{0,6}$/.test(line))

/** Whether headings below this one have fields: then all of them are lines of their own. */
export const holdsFields = ({ children }: Node): boolean =>
  children.some((child) => child.sort === 'heading' && child.children.some(hasField))

/** Only tasks are told by boxes: below a requirement they are what to look at. */
export const holdsStories = ({ children }: Node, kind: Kind): boolean => children.some((child) => isStory(child, kind))

function hasField({ sort, text }: Node): boolean {
  if (sort === 'text') return text.split('\n', 20).some((line) => fieldIn(line) !== undefined)
  return sort === 'item' && fieldIn(text) !== undefined
}

function isStory({ sort, text, cells }: Node, kind: Kind): boolean {
  if (sort === 'heading') return sectionOf(text, kind) === undefined && !isScenario(text)
  if (sort === 'row') return rowAsLine(cells) !== undefined
  if (sort === 'text') return leadsWithOwnId(text) || isNumberedLines(text)
  const { box, text: unboxed } = withoutBox(text)
  return (box && kind === 'task') || leadingId(unboxed).id !== null || (isUserStory(text) && kind === 'user-story')
}

/** A list right below a paragraph that is a line belongs to it; so do When and Then to their Given. */
export function goesOn(node: Node, last: Item): boolean {
  if (node.sort !== 'item') return false
  const { text } = withoutBox(node.text)
  if (/^\W{0,4}given\b/i.test(last.text)) return /^\W{0,4}(?:when|then|and|but)\b/i.test(text)
  return leadingId(text).id === null && !opensScenario(text)
}

/** A table of contents. */
export const isJump = (text: string): boolean => /^\[[^\]]{0,300}\]\(#/.test(text)

/** Its first line without `Scenario:`. */
export const nameOfScenario = (text: string): string => text.split('\n', 1)[0]!.replace(/^[^:]{0,40}:/, '')
