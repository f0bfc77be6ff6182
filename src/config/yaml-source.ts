import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { type ConfigProblem, excerpt } from './problem.ts'
import { findExcess } from './yaml-limits.ts'
import { brokenAlias, brokenYaml, type Refusal, refusedNodes } from './yaml-refusals.ts'

export type Path = readonly PropertyKey[]
export type Place = { readonly line: number; readonly column: number; readonly found: string }

/** What a file says together with where each part of it stands. */
export type YamlSource = {
  /** Absent when the text could not be read as YAML at all. */
  readonly content?: { readonly value: unknown }
  readonly problems: readonly ConfigProblem[]
  keyAt(path: Path): Place
  valueAt(path: Path): Place
}

export function parseYaml(file: string, text: string): YamlSource {
  const lines = lineStartsOf(text)
  const placeOf = (start: number, end = start): Place => {
    const { line, col } = lines.linePos(Math.min(start, text.length))
    return { line, column: col, found: excerpt(text.slice(start, end)) }
  }
  const { document, refusals, content } = compose(text, (offset) => placeOf(offset).line)
  const find = finderIn(document)
  const nodePlace = (node: Node | null): Place => placeOf(node?.range?.[0] ?? 0, node?.range?.[1] ?? 0)
  return {
    ...(content && { content }),
    problems: refusals.map(({ offset, ...problem }) => {
      const { line, column } = placeOf(offset)
      return { file, line, column, ...problem }
    }),
    keyAt: (path) => nodePlace(find(path).key),
    valueAt: (path) => {
      const { key, value } = find(path)
      // An empty value stands nowhere; its key does.
      return value?.range && value.range[0] < value.range[1]
        ? nodePlace(value)
        : { ...nodePlace(key), found: 'nothing' }
    },
  }
}

type Composed = {
  readonly document: Document | null
  readonly refusals: readonly Refusal[]
  readonly content?: { readonly value: unknown }
}

function compose(text: string, lineOf: (offset: number) => number): Composed {
  const excess = findExcess(text)
  if (excess) return { document: null, refusals: [excess] }
  const document: Document = parseDocument(text, {
    schema: 'core',
    stringKeys: true,
    // The package compares each key with every other; our own check is linear and names the first one's line.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  })
  if (document.errors.length > 0) return { document, refusals: document.errors.map(brokenYaml) }
  const refusals = refusedNodes(document, lineOf)
  try {
    return { document, refusals, content: { value: document.toJS({ maxAliasCount: 100 }) } }
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error
    return { document, refusals: [...refusals, brokenAlias(document, error)] }
  }
}

type Found = { readonly key: Node | null; readonly value: Node | null }

/** Finds the key and value at a path, or the nearest above it. An alias is not followed: it is reported where it stands. */
function finderIn(document: Document | null): (path: Path) => Found {
  const indexes = new Map<YAMLMap, ReadonlyMap<unknown, Found>>()
  const indexOf = (map: YAMLMap): ReadonlyMap<unknown, Found> => {
    const index = indexes.get(map) ?? new Map(map.items.map((pair) => [scalarText(pair.key), foundIn(pair)]))
    indexes.set(map, index)
    return index
  }
  return (path) => {
    let found: Found = { key: document?.contents ?? null, value: document?.contents ?? null }
    for (const step of path) {
      const next = isMap(found.value)
        ? indexOf(found.value).get(step)
        : isSeq(found.value)
          ? itemOf(found.value, step)
          : null
      if (!next) break
      found = next
    }
    return found
  }
}

const scalarText = (key: unknown): string | null => (isScalar(key) ? String(key.value) : null)
const foundIn = ({ key, value }: Pair): Found => ({ key: nodeOrNull(key), value: nodeOrNull(value) })
const itemOf = (list: YAMLSeq, step: PropertyKey): Found => {
  const item = nodeOrNull(list.items[Number(step)])
  return { key: item, value: item }
}
const nodeOrNull = (part: unknown): Node | null => (isNode(part) ? part : null)

function lineStartsOf(text: string): LineCounter {
  const lines = new LineCounter()
  for (let start = 0; start !== -1; start = nextLine(text, start)) lines.addNewLine(start)
  return lines
}

function nextLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? -1 : end + 1
}
