import {
  type CST,
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  parseDocument,
  visit,
  type YAMLError,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { type ConfigProblem, formatExcerpt } from './problem.ts'

export type Path = readonly PropertyKey[]
export type Place = { readonly line: number; readonly column: number; readonly found: string }

/** The content of a file, with the position of each part. */
export type YamlSource = {
  /** Absent if the text is not valid YAML. */
  readonly content?: { readonly value: unknown }
  readonly problems: readonly ConfigProblem[]
  keyAt(path: Path): Place
  valueAt(path: Path): Place
}

export function parseYaml(file: string, text: string): YamlSource {
  const lines = findLineStarts(text)
  const findPlace = (start: number, end = start): Place => {
    const { line, col } = lines.linePos(Math.min(start, text.length))
    return { line, column: col, found: formatExcerpt(text.slice(start, end)) }
  }
  const { document, refusals, content } = compose(text, (offset) => findPlace(offset).line)
  const find = createFinder(document)
  const nodePlace = (node: Node | null): Place => findPlace(node?.range?.[0] ?? 0, node?.range?.[1] ?? 0)
  return {
    ...(content && { content }),
    problems: refusals.map(({ offset, ...problem }) => {
      const { line, column } = findPlace(offset)
      return { file, line, column, ...problem }
    }),
    keyAt: (path) => nodePlace(find(path).key),
    valueAt: (path) => {
      const { key, value } = find(path)
      // An empty value has no position, so use its key's.
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
    // The package's check is quadratic; ours is linear and reports the line of the first occurrence.
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

/** Finds the key and value at a path, or at its nearest existing parent. Does not follow aliases. */
function createFinder(document: Document | null): (path: Path) => Found {
  const indexes = new Map<YAMLMap, ReadonlyMap<unknown, Found>>()
  const indexKeys = (map: YAMLMap): ReadonlyMap<unknown, Found> => {
    const index = indexes.get(map) ?? new Map(map.items.map((pair) => [scalarText(pair.key), toFound(pair)]))
    indexes.set(map, index)
    return index
  }
  return (path) => {
    let found: Found = { key: document?.contents ?? null, value: document?.contents ?? null }
    for (const step of path) {
      const next = isMap(found.value)
        ? indexKeys(found.value).get(step)
        : isSeq(found.value)
          ? findItem(found.value, step)
          : null
      if (!next) break
      found = next
    }
    return found
  }
}

const scalarText = (key: unknown): string | null => (isScalar(key) ? String(key.value) : null)
const toFound = ({ key, value }: Pair): Found => ({ key: nodeOrNull(key), value: nodeOrNull(value) })
const findItem = (list: YAMLSeq, step: PropertyKey): Found => {
  const item = nodeOrNull(list.items[Number(step)])
  return { key: item, value: item }
}
const nodeOrNull = (part: unknown): Node | null => (isNode(part) ? part : null)

function findLineStarts(text: string): LineCounter {
  const lines = new LineCounter()
  for (let start = 0; start !== -1; start = nextLine(text, start)) lines.addNewLine(start)
  return lines
}

function nextLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? -1 : end + 1
}

// Far beyond any real file. Rejects hostile files before they cost time or stack.
const maxTokens = 50_000
const maxLevels = 32

/** Contract: safe on any text, since it neither recurses nor builds nodes. Composing recurses at each level. */
function findExcess(text: string): Refusal | null {
  let tokens = 0
  let offset = 0
  for (const token of new Lexer().lex(text)) {
    offset += token.length
    tokens += 1
    if (tokens > maxTokens) return tooMuch(offset, 'more', `at most ${maxTokens} YAML tokens`)
  }
  const open = [...new Parser().parse(text)].map((token): [CST.Token, number] => [token, 0])
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const [token, level] = entry
    if (level > maxLevels) return tooMuch(token.offset, 'more', `at most ${maxLevels} levels of nesting`)
    for (const child of listChildren(token)) open.push([child, level + 1])
  }
  return null
}

function listChildren(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : []
  if (!('items' in token)) return []
  return token.items.flatMap((item) => [item.key, item.value].filter((child) => child !== null && child !== undefined))
}

const tooMuch = (offset: number, found: string, allowed: string): Refusal => ({
  offset,
  key: '',
  what: 'the file is too large or too deeply nested',
  found,
  allowed,
  next: 'Make it smaller.',
})

/** A problem located by its offset in the text. */
type Refusal = Omit<ConfigProblem, 'file' | 'line' | 'column'> & { readonly offset: number }

/** Refuses valid YAML with tags beyond the core schema, duplicate keys or `__proto__`. */
function refusedNodes(document: Document, lineOf: (offset: number) => number): readonly Refusal[] {
  const refusals: Refusal[] = []
  visit(document, {
    Node: (_, node, ancestors) => {
      const tag = 'tag' in node ? node.tag : undefined
      if (tag && !coreTag.test(tag)) refusals.push(refusedTag(node, tag, buildPath(ancestors)))
      if (isMap(node)) refusals.push(...refusedKeys(node, buildPath(ancestors), lineOf))
    },
  })
  return refusals
}

function brokenYaml(error: YAMLError): Refusal {
  const found = formatExcerpt(plainWords[error.code] ?? error.message)
  const next = 'Correct the file and run the command again.'
  return { offset: error.pos[0], key: '', what: 'invalid YAML', found, allowed: 'YAML 1.2', next }
}

/** The package reports unknown anchors and alias bombs without a position. */
function brokenAlias(document: Document, error: ReferenceError): Refusal {
  let offset = 0
  visit(document, {
    Alias: (_, alias) => {
      offset = readOffset(alias)
      return error.message.startsWith('Unresolved') && !error.message.endsWith(`: ${alias.source}`)
        ? undefined
        : visit.BREAK
    },
  })
  const allowed = 'aliases of anchors defined earlier in the file, at most about 100 uses'
  const next = 'Write the value out instead.'
  return { offset, key: '', what: 'cannot resolve an alias', found: formatExcerpt(error.message), allowed, next }
}

const readOffset = (node: Node): number => node.range?.[0] ?? 0

const coreTag = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|seq|map)$/

const plainWords: Readonly<Record<string, string>> = {
  NON_STRING_KEY: 'a key that is not plain text',
  MULTIPLE_DOCS: 'a second document in the same file',
}

function refusedTag(node: Node, tag: string, path: readonly string[]): Refusal {
  const allowed = 'values without tags'
  return {
    offset: readOffset(node),
    key: path.join('.'),
    what: 'YAML tag not allowed',
    found: formatExcerpt(tag),
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
    const refusal = {
      offset: readOffset(key),
      key: [...path, formatExcerpt(name)].join('.'),
      found: formatExcerpt(name),
    }
    if (name === '__proto__') {
      return [{ ...refusal, what: 'unknown key', allowed: 'any other name', next: 'Rename or remove it.' }]
    }
    if (!before) return []
    const allowed = `each key once; it is already set on line ${lineOf(readOffset(before))}`
    return [{ ...refusal, what: 'duplicate key', allowed, next: 'Keep one of them.' }]
  })
}

const buildPath = (ancestors: readonly unknown[]): readonly string[] =>
  ancestors.flatMap((part) => (isPair(part) && isScalar(part.key) ? [formatExcerpt(String(part.key.value))] : []))
