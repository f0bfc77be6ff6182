import { type Node, type ParseError, parseTree } from 'jsonc-parser'

/** A value of a JSON text. Equal values have equal ids, whatever their whitespace and the order of their keys. */
export type Value = { readonly id: number; readonly from: number; readonly to: number } & (
  | { readonly kind: 'plain'; readonly source: string }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Value> }
)

const mostDepth = 64

/** Parses two texts. Undefined if one of them is not strict JSON, repeats a key or nests too deeply. */
export function parseBoth(
  before: string,
  after: string,
): { readonly before: Value; readonly after: Value } | undefined {
  const ids = new Map<string, number>()
  const [old, young] = [parseStrictly(before), parseStrictly(after)]
  if (!old || !young) return undefined
  return { before: readValue(old, before, ids), after: readValue(young, after, ids) }
}

/** JSON.parse alone would not find a key that is there twice, and a change of its first value would go unseen. */
function parseStrictly(text: string): Node | undefined {
  if (isTooDeep(text) || !isJson(text)) return undefined
  const errors: ParseError[] = []
  const tree = parseTree(text, errors)
  return tree === undefined || errors.length > 0 || repeatsKey(tree) ? undefined : tree
}

function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      at += 1
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    } else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth > mostDepth) return true
  }
  return false
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function repeatsKey({ type, children = [] }: Node): boolean {
  if (type === 'object' && new Set(children.map(readKey)).size < children.length) return true
  return children.some(repeatsKey)
}

const readKey = (property: Node): string => property.children![0]!.value as string

function readValue(node: Node, text: string, ids: Map<string, number>): Value {
  const place = { from: node.offset, to: node.offset + node.length }
  if (node.type === 'array') {
    const items = (node.children ?? []).map((child) => readValue(child, text, ids))
    return { ...place, kind: 'list', items, id: giveId(`[${items.map(({ id }) => id).join()}]`, ids) }
  }
  if (node.type === 'object') {
    const members = new Map(
      (node.children ?? []).map((child) => [readKey(child), readValue(child.children![1]!, text, ids)] as const),
    )
    const parts = [...members].map(([key, { id }]) => `${JSON.stringify(key)}:${id}`)
    return { ...place, kind: 'object', members, id: giveId(`{${parts.toSorted().join()}}`, ids) }
  }
  // Numbers are compared as they are written: reading them could lose digits. The same string may be written with or without escapes.
  const source = node.type === 'string' ? JSON.stringify(node.value) : text.slice(place.from, place.to)
  return { ...place, kind: 'plain', source, id: giveId(source, ids) }
}

/** The id of a source, the same for both texts. */
function giveId(source: string, ids: Map<string, number>): number {
  const known = ids.get(source)
  if (known !== undefined) return known
  ids.set(source, ids.size)
  return ids.size - 1
}

/** Formats a value with line breaks, or on one line if there is no `step`. */
export function formatValue(value: Value, step = '  ', indent = '\n'): string {
  if (value.kind === 'plain') return value.source
  const [before, colon, after] = step === '' ? ['', ':', ''] : [indent + step, ': ', indent]
  const parts =
    value.kind === 'list'
      ? value.items.map((item) => before + formatValue(item, step, before))
      : [...value.members].map(
          ([key, member]) => before + JSON.stringify(key) + colon + formatValue(member, step, before),
        )
  const [open, close] = value.kind === 'list' ? '[]' : '{}'
  return parts.length === 0 ? `${open}${close}` : `${open}${parts.join(',')}${after}${close}`
}
