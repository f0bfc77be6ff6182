import { type Document, isMap, isPair, isScalar, type Node, visit, type YAMLError, type YAMLMap } from 'yaml'
import { type ConfigProblem, excerpt } from './problem.ts'

/** A problem that still stands at an offset of the text. */
export type Refusal = Omit<ConfigProblem, 'file' | 'line' | 'column'> & { readonly offset: number }

/** Valid YAML that is refused all the same: tags beyond the core schema, keys given twice, `__proto__`. */
export function refusedNodes(document: Document, lineOf: (offset: number) => number): readonly Refusal[] {
  const refusals: Refusal[] = []
  visit(document, {
    Node: (_, node, ancestors) => {
      const tag = 'tag' in node ? node.tag : undefined
      if (tag && !coreTag.test(tag)) refusals.push(refusedTag(node, tag, pathOf(ancestors)))
      if (isMap(node)) refusals.push(...refusedKeys(node, pathOf(ancestors), lineOf))
    },
  })
  return refusals
}

export function brokenYaml(error: YAMLError): Refusal {
  const found = excerpt(plainWords[error.code] ?? error.message)
  const next = 'Correct it there and run the command again.'
  return { offset: error.pos[0], key: '', what: 'invalid YAML', found, allowed: 'YAML 1.2', next }
}

/** The package reports unknown anchors and alias bombs alike, without saying where. */
export function brokenAlias(document: Document, error: ReferenceError): Refusal {
  let offset = 0
  visit(document, {
    Alias: (_, alias) => {
      offset = offsetOf(alias)
      return error.message.startsWith('Unresolved') && !error.message.endsWith(`: ${alias.source}`)
        ? undefined
        : visit.BREAK
    },
  })
  const allowed = 'aliases of anchors that stand before them, used about 100 times at most'
  const next = 'Write the value out instead.'
  return { offset, key: '', what: 'an alias cannot be followed', found: excerpt(error.message), allowed, next }
}

const offsetOf = (node: Node): number => node.range?.[0] ?? 0

const coreTag = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|seq|map)$/

const plainWords: Readonly<Record<string, string>> = {
  NON_STRING_KEY: 'a key that is not plain text',
  MULTIPLE_DOCS: 'a second document in the same file',
}

function refusedTag(node: Node, tag: string, path: readonly string[]): Refusal {
  const allowed = 'plain values without tags'
  return {
    offset: offsetOf(node),
    key: path.join('.'),
    what: 'tag refused',
    found: excerpt(tag),
    allowed,
    next: 'Remove it.',
  }
}

function refusedKeys(map: YAMLMap, path: readonly string[], lineOf: (offset: number) => number): readonly Refusal[] {
  const first = new Map<string, Node>()
  return map.items.flatMap(({ key }) => {
    if (!isScalar(key)) return []
    const name = String(key.value)
    const before = first.get(name)
    first.set(name, before ?? key)
    const refusal = { offset: offsetOf(key), key: [...path, excerpt(name)].join('.'), found: excerpt(name) }
    if (name === '__proto__') {
      return [{ ...refusal, what: 'unknown key', allowed: 'any other name', next: 'Rename or remove it.' }]
    }
    if (!before) return []
    const allowed = `once, and it is set on line ${lineOf(offsetOf(before))} already`
    return [{ ...refusal, what: 'duplicate key', allowed, next: 'Keep one of them.' }]
  })
}

const pathOf = (ancestors: readonly unknown[]): readonly string[] =>
  ancestors.flatMap((part) => (isPair(part) && isScalar(part.key) ? [excerpt(String(part.key.value))] : []))
