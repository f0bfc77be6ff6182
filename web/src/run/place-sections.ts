import type { Block, Section } from '../../../src/contract/show.ts'
import type { RunPayload } from '../../../src/contract/web.ts'
import { hasContent } from '../shown/sections.tsx'

type Placed = {
  /** Charts, texts and diffs: what the run is about. Before its timeline. */
  readonly results: Section[]
  /** Tables and lists, below the log. */
  readonly details: Section[]
  /** A few lines, beside. */
  readonly asides: Section[]
}

const resultKinds: readonly Block['kind'][] = ['chart', 'document', 'diff', 'changes']
const asideKinds: readonly Block['kind'][] = ['text', 'facts', 'bounds']

/** Decides by the kinds of blocks where a section goes. Blocks that the page shows elsewhere are left out. */
export function placeSections(data: RunPayload): Placed {
  const placed: Placed = { results: [], details: [], asides: [] }
  for (const section of data.sections) {
    const blocks = section.blocks.filter((block) => hasContent(block) && !isElsewhere(block, data))
    const has = (kinds: readonly Block['kind'][]) => (block: Block) => kinds.includes(block.kind)
    const where = blocks.some(has(resultKinds)) ? 'results' : blocks.every(has(asideKinds)) ? 'asides' : 'details'
    if (blocks.length > 0) placed[where].push({ ...section, blocks })
  }
  return placed
}

function isElsewhere({ kind }: Block, { notices, question, bounds, next }: RunPayload): boolean {
  if (kind === 'notices') return notices.length > 0
  if (kind === 'question') return question !== null
  if (kind === 'bounds') return bounds.length > 0
  return kind === 'actions' && next.length > 0
}
