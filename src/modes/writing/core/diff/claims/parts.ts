import type { Unit } from '../../../contract/semantic-diff.ts'
import { formatValue, parseBoth, type Value } from '../json/values.ts'
import { type Block, readHeading, splitBlocks } from '../text/blocks.ts'

/** A part of a unit that has a name: a section, a field, a labelled line. A side is undefined if the part is not there. */
export type Part = {
  readonly unit: string
  /** In lower case. */
  readonly name: string
  readonly before: string | undefined
  readonly after: string | undefined
  /** Its items, if it is a list. */
  readonly items: { readonly before: readonly string[]; readonly after: readonly string[] }
}

export const hasItems = ({ items }: Part): boolean => items.before.length + items.after.length > 0

type Side = { readonly text: string; readonly items: readonly string[] }

/** Finds the parts of both texts of a unit. Of several with the same name, the texts are joined. */
export function listParts(
  unit: Pick<Unit, 'id' | 'format'> & { readonly before: string; readonly after: string },
): readonly Part[] {
  const values = unit.format === 'json' ? parseBoth(unit.before, unit.after) : undefined
  const before = values ? readFields(values.before) : readSections(unit.before)
  const after = values ? readFields(values.after) : readSections(unit.after)
  return [...new Set([...before.keys(), ...after.keys()])].map((name) => ({
    unit: unit.id,
    name,
    before: before.get(name)?.text,
    after: after.get(name)?.text,
    items: { before: before.get(name)?.items ?? [], after: after.get(name)?.items ?? [] },
  }))
}

type Sides = Map<string, Side>

function addSide(sides: Sides, name: string, side: Side): void {
  const known = sides.get(name)
  sides.set(name, known ? { text: `${known.text}\n${side.text}`, items: [...known.items, ...side.items] } : side)
}

/** Fields at any depth, by their keys. */
function readFields(value: Value, sides: Sides = new Map()): Sides {
  if (value.kind === 'object') {
    for (const [key, member] of value.members) {
      const items = member.kind === 'list' ? member.items.map((item) => formatValue(item)) : []
      addSide(sides, key.toLowerCase().replace(/[_-]+/g, ' ').trim(), { text: formatValue(member), items })
      readFields(member, sides)
    }
  } else if (value.kind === 'list') for (const item of value.items) readFields(item, sides)
  return sides
}

const label =
  /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:\*\*|__)?(\p{L}[\p{L}\p{N} ./_-]{0,40}?)(?:\*\*|__)?:(?:\*\*|__)?\s+(.*)$/su

/** A text with more has no sections that anyone would name. */
const mostHeadings = 500

/** Sections reach to the next heading of the same level or above. */
function readSections(text: string): Sides {
  const sides: Sides = new Map()
  const blocks = splitBlocks(text, 'markdown')
  const hasSections = blocks.filter(({ kind }) => kind === 'heading').length <= mostHeadings
  const title = blocks.find(({ kind }) => kind === 'heading')
  if (title) addSide(sides, 'title', { text: readHeading(title), items: [] })
  blocks.forEach((block, index) => {
    if (block.kind === 'heading' && hasSections) {
      const level = readLevel(block)
      const next = blocks.findIndex((other, at) => at > index && other.kind === 'heading' && readLevel(other) <= level)
      const inner = blocks.slice(index + 1, next < 0 ? undefined : next)
      const items = inner.filter(isItem).map(({ key }) => key)
      addSide(sides, readHeading(block).toLowerCase(), { text: inner.map(({ key }) => key).join('\n'), items })
    }
    const found = block.kind === 'line' ? label.exec(block.key) : null
    if (found) addSide(sides, found[1]!.trim().toLowerCase(), { text: found[2]!, items: splitItems(found[2]!) })
  })
  return sides
}

const readLevel = ({ key }: Block): number => /^#+/.exec(key)?.[0].length ?? (key.endsWith('=') ? 1 : 2)

export const isItem = ({ kind, key }: Block): boolean => kind === 'line' && /^\s*(?:[-*+]|\d+[.)])\s/.test(key)

/** `redemption, sacrifice, duty` is a list of three. */
const splitItems = (value: string): readonly string[] =>
  value.includes(',') && !/[.!?]/.test(value) ? value.split(',').map((item) => item.trim()) : []
