import { sha256 } from '../../../../judging/sha256.ts'
import type { Verification } from '../../contract/input.ts'
import { type Granularity, maxQuote, type Plan } from '../../contract/plan.ts'
import { type Edge, findEdges } from './edges.ts'
import { type Explained, explainBlocks } from './explain.ts'
import { type Chosen, chooseStories } from './granularity.ts'
import { linesBelow, type Mapped, mapLines } from './map-lines.ts'
import type { Found, Topical } from './read/blocks.ts'
import { cutText } from './read/clean.ts'
import { type Item, type PlanProblem, PlanRefused } from './read/item.ts'
import { indexIds } from './read/known-ids.ts'
import { readJson } from './read/read-json.ts'
import { readMarkdown } from './read/read-markdown.ts'
import { withoutRepeats } from './repeats.ts'
import { buildStory, hashPlan, toCriterion } from './story.ts'

export type PlanOutcome =
  | { readonly ok: true; readonly plan: Plan; readonly explained: readonly Explained[] }
  | { readonly ok: false; readonly problem: PlanProblem }

/** Raised whenever an existing PRD would give a different plan. */
const plannerVersion = 4
const maxBytes = 16 * 1024 * 1024
const maxStories = 100_000

/** Compiles a PRD into a plan. Deterministic: the same text and commands always give the same plan. */
export function compilePlan(text: string, fileName: string, verification: Verification): PlanOutcome {
  try {
    return { ok: true, ...compile(text, fileName, verification) }
  } catch (error) {
    if (error instanceof PlanRefused) return { ok: false, problem: error.problem }
    throw error
  }
}

function compile(text: string, fileName: string, verification: Verification) {
  const found = read(text, fileName)
  const { items, instead } = withoutRepeats(found.items)
  const known = indexIds(items)
  const chosen = chooseStories(items, found.blocks)
  if (chosen.stories.length > maxStories) refuse('too-big', `more than ${maxStories} stories`)
  // Mapping lines needs an order, and mapped lines may add dependencies: so order first, map, then order again.
  const likely = sortStories(chosen, findEdges(chosen, linesBelow(items, chosen), known))
  const mapped = mapLines(items, { ...chosen, order: likely }, known)
  const edges = findEdges(chosen, mapped, known)
  const order = sortStories(chosen, edges)
  const drafts = draftStories(order, edges, mapped, chosen)
  const explained = explainBlocks(found.blocks, { order, edges, mapped, instead, known })
  const plan = {
    contract_version: 1 as const,
    planner_version: plannerVersion,
    format: found.format,
    prd_sha256: sha256(text),
    stories: drafts.map((draft) => buildStory({ ...draft, quote: found.quote }, verification)),
    unmapped: mapped.filter(({ story }) => story === null).map(({ item }) => toCriterion(item)),
    context: found.topics.map(toContext),
    ignored: listIgnored(explained),
  }
  return { plan: { ...plan, sha256: hashPlan(plan) }, explained }
}

const toContext = ({ topic, text, line, endLine }: Topical) => ({
  topic,
  text: cutText(text, maxQuote),
  line,
  end_line: endLine,
})

/** Joins neighbours that are ignored for the same reason. */
function listIgnored(explained: readonly Explained[]): NonNullable<Plan['ignored']> {
  const found: { line: number; end_line: number; because: string }[] = []
  for (const { role, line, end_line, because } of explained) {
    const last = found.at(-1)
    if (role !== 'ignored') continue
    if (last && last.because === because && last.end_line + 1 === line) last.end_line = end_line
    else found.push({ line, end_line, because })
  }
  return found
}

function read(text: string, fileName: string): Found {
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) refuse('too-big', 'larger than 16 MiB')
  const nul = text.indexOf('\0')
  if (nul !== -1) refuse('not-text', `not a text file: line ${lineAt(text, nul)} contains a NUL character`)
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const isJson = /\.json$/i.test(fileName) || /^\s*[{[]\s*["{[\]}]/.test(plain.slice(0, 1000))
  return isJson ? readJson(plain) : readMarkdown(plain)
}

function refuse(code: PlanProblem['code'], message: string): never {
  throw new PlanRefused({ code, message })
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** Sorts stories into the order of work. */
function sortStories({ stories }: Chosen, edges: ReadonlyMap<Item, readonly Edge[]>): readonly Item[] {
  const rank = new Map(stories.map((story, index) => [story, index]))
  const ordered = sortByDependencies(stories.map((story) => edges.get(story)!.map(({ on }) => rank.get(on)!)))
  if (ordered.ok) return ordered.order.map((index) => stories[index]!)
  const cycle = ordered.cycle.map((index) => stories[index]!)
  const path = [
    ...cycle.slice(0, 50).map((item) => `${formatName(item)} (line ${item.line})`),
    ...(cycle.length > 50 ? ['…'] : []),
  ]
  throw new PlanRefused({
    code: 'cycle',
    message: `circular dependency: ${[...path, formatName(cycle[0]!)].join(' -> ')}`,
    hint: 'Remove one of these dependencies.',
    line: cycle[0]!.line,
  })
}

const formatName = ({ id, title }: Item): string => id?.shown ?? `"${title}"`

function draftStories(
  order: readonly Item[],
  edges: ReadonlyMap<Item, readonly Edge[]>,
  mapped: readonly Mapped[],
  { kind }: Chosen,
) {
  const position = new Map(order.map((item, index) => [item, index + 1]))
  const landed = new Map<Item, Item[]>(order.map((item) => [item, []]))
  for (const { item, story } of mapped) if (story) landed.get(story)!.push(item)
  return order.map((item, index) => ({
    id: `S${index + 1}`,
    item,
    kind: asGranularity(kind),
    dependsOn: edges
      .get(item)!
      .map(({ on }) => position.get(on)!)
      .sort((a, b) => a - b)
      .map((at) => `S${at}`),
    lines: landed.get(item)!,
  }))
}

const asGranularity = (kind: Chosen['kind']): Granularity =>
  kind === 'check' ? 'task' : kind === 'aside' ? 'criterion' : kind

/** For each node, the indexes of the nodes that must come before it. */
type Before = readonly (readonly number[])[]

type Ordered =
  | { readonly ok: true; readonly order: readonly number[] }
  | { readonly ok: false; readonly cycle: readonly number[] }

/** Topological sort. Among the nodes that are ready, the smallest index comes first. */
export function sortByDependencies(before: Before): Ordered {
  const open = before.map((all) => all.length)
  const after: number[][] = before.map(() => [])
  before.forEach((all, index) => {
    for (const one of all) after[one]!.push(index)
  })
  const ready = createHeap()
  open.forEach((count, index) => {
    if (count === 0) ready.push(index)
  })
  const order: number[] = []
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    order.push(next)
    for (const one of after[next]!) if (--open[one]! === 0) ready.push(one)
  }
  return order.length === before.length ? { ok: true, order } : { ok: false, cycle: findCycle(before, open) }
}

/** Every open node waits for another open node, so walking back always ends in a cycle. */
function findCycle(before: Before, open: readonly number[]): number[] {
  const met = new Map<number, number>()
  const path: number[] = []
  let at = open.findIndex((count) => count > 0)
  while (!met.has(at)) {
    met.set(at, path.length)
    path.push(at)
    at = before[at]!.find((one) => open[one]! > 0)!
  }
  const cycle = path.slice(met.get(at))
  const first = cycle.indexOf(cycle.reduce((least, one) => Math.min(least, one)))
  return [...cycle.slice(first), ...cycle.slice(0, first)]
}

/** A binary min-heap. */
function createHeap() {
  const heap: number[] = []
  const swap = (a: number, b: number): void => {
    const value = heap[a]!
    heap[a] = heap[b]!
    heap[b] = value
  }
  const push = (value: number): void => {
    heap.push(value)
    for (let at = heap.length - 1; at > 0 && heap[at]! < heap[(at - 1) >> 1]!; at = (at - 1) >> 1)
      swap(at, (at - 1) >> 1)
  }
  const pop = (): number | undefined => {
    const top = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return top
    heap[0] = last
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let least = at
      if (left < heap.length && heap[left]! < heap[least]!) least = left
      if (right < heap.length && heap[right]! < heap[least]!) least = right
      if (least === at) return top
      swap(at, least)
      at = least
    }
  }
  return { push, pop }
}
