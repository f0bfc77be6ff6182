import type { Granularity } from '../../../contract/plan.ts'
import { cleanText } from './clean.ts'
import { hasOrder, isDemand, isOrder, isWish } from './demands.ts'
import type { Row } from './fields.ts'
import { findKind, type Id, isDistinctive, type Kind } from './ids.ts'
import type { Item, Place } from './item.ts'
import { itemAbove } from './known-ids.ts'
import { findPassingRole, holdsStories, isScenario, isUserStory, leadingId, opensScenario } from './line-predicates.ts'
import type { Node } from './outline.ts'
import type { Rules } from './rules.ts'
import { findSection, type Section } from './sections.ts'

/** The current section, position and item of the walk. */
export type Here = {
  readonly section: Section | null
  /** The heading of the section. Empty before the first heading and directly below the title. */
  readonly name: string
  readonly place: Place
  readonly item: Item | null
  /** Headings here have fields, as stories have. */
  readonly fielded: boolean
}

export type At = Pick<Node, 'line' | 'endLine' | 'text'> & { readonly sort?: Node['sort']; readonly children?: Node[] }

export const below = (here: Here, item: Item): Here => ({ ...here, item, place: item.place })

/** A scenario after a scenario is its sibling, not its child. */
export function besideScenario(node: Node, here: Here): Here {
  const { item } = here
  if (item?.kind !== 'criterion' || !isScenario(node.text) || !item.place.parent) return here
  return { ...here, item: itemAbove(item.place), place: item.place.parent }
}

/** Sections in which headings may be items. */
export const isTitled = (section: Section | null): section is Granularity =>
  section === 'task' || section === 'user-story' || section === 'requirement' || section === 'phase'

/** Splits off the id that a line begins with, if it is one in this document. */
export function splitId(raw: string, { shortIds }: Rules): { readonly id: Id | null; readonly rest: string } {
  const { id, rest, weak } = leadingId(raw)
  return weak && !shortIds ? { id: null, rest: raw } : { id, rest }
}

/** In a section of context, only an id that cannot be anything else makes an item. */
function findOwnKind(id: Id | null, { section }: Here): Kind | undefined {
  const kind = id ? findKind(id) : undefined
  if (section !== 'context') return kind
  return kind !== 'phase' && id && isDistinctive(id.prefix) ? kind : undefined
}

const isWanted = (text: string, { demands, orders }: Rules): boolean =>
  demands && (isDemand(text) || (orders && (isWish(text) || hasOrder(text))))

/** A heading is an item if it has an id, or if its section contains items with headings. */
export function kindOfHeading(node: Node, here: Here, rules: Rules): Kind | null {
  if (here.section === 'excluded' || here.section === 'map') return null
  const id = splitId(node.text, rules).id
  const kind = findOwnKind(id, here)
  if (kind) return kind
  if (here.section === 'context') return null
  if (isScenario(node.text)) return 'criterion'
  if (rules.title && isOrder(node.text)) return 'requirement'
  const { section, item, fielded } = here
  if (!isTitled(section) || findSection(node.text, section)) return null
  if (item && (item.kind !== 'phase' || section === 'phase')) return null
  // Below "# Tasks", the headings group a list of tasks.
  if (section === 'task' && node.parent?.level === 1 && node.children.some(({ sort }) => sort === 'item')) return null
  return id?.prefix || fielded || !holdsStories(node, section) ? section : null
}

/** Rows of a table without a known purpose count only if they have ids, and rank below other items with ids. */
export function kindOfRow(row: Row | undefined, here: Here, rules: Rules): Kind | null {
  if (!row || (!row.id && here.item)) return null
  const kind = kindOfLine(row.text, false, here, rules, row.id)
  const isLoose = kind === null || (kind === 'detail' && here.item?.kind === 'phase')
  const isItems = here.section !== 'context' && here.section !== 'map' && here.section !== 'excluded'
  return isLoose && row.id?.prefix && isItems ? 'check' : kind
}

export function kindOfLine(text: string, box: boolean, here: Here, rules: Rules, rowId?: Id | null): Kind | null {
  const { section, item } = here
  if (section === 'excluded' || (section === 'map' && !box)) return null
  if (rowId === undefined && (findPassingRole(text, box) || cleanText(text) === '')) return null
  const id = rowId ?? splitId(text, rules).id
  const own = findOwnKind(id, here)
  if (own) return own
  if (section === 'context' || section === 'map') return !box ? null : item ? 'detail' : id ? 'task' : 'check'
  if (item) {
    if (id && box && item.kind === 'task') return 'task'
    if (section === 'task' && item.kind !== 'task' && item.kind !== 'detail') return 'task'
    if (item.kind === 'phase' && box) return id ? 'task' : 'check'
    return 'detail'
  }
  if (section && section !== 'detail') return box && section === 'phase' ? 'check' : section
  if (box) return id ? 'task' : 'check'
  if (isUserStory(text)) return 'user-story'
  if (opensScenario(text)) return 'criterion'
  return isWanted(text, rules) ? 'requirement' : null
}

/** Most paragraphs are no items. */
export function kindOfText(text: string, here: Here, rules: Rules): Kind | null {
  if (here.section === 'excluded' || here.section === 'map' || findPassingRole(text, false)) return null
  const own = findOwnKind(splitId(text, rules).id, here)
  if (own && own !== 'phase') return own
  if (here.section === 'context') return null
  if (isUserStory(text)) return 'user-story'
  if (opensScenario(text) && here.section !== 'aside') return 'criterion'
  return isWanted(text, rules) ? 'requirement' : null
}
