import type { Block, Section } from '../../../src/contract/show.ts'
import { toSentenceCase } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Blocks } from './blocks.tsx'

/** Sections of a mode as cards. Sections without content are left out. */
export function Sections({ sections }: { readonly sections: readonly Section[] }) {
  return sections
    .filter(({ blocks }) => blocks.some(hasContent))
    .map(({ id, title, blocks }) => (
      <Card key={id} title={toSentenceCase(title)} note={countNote(blocks)}>
        <div className="blocks">
          <Blocks blocks={blocks.filter(hasContent)} />
        </div>
      </Card>
    ))
}

/** How many notices there are. */
const countNote = (blocks: readonly Block[]): string | null => {
  const [only, ...others] = blocks
  return only?.kind === 'notices' && others.length === 0 ? String(only.notices.length) : null
}

export function hasContent(block: Block): boolean {
  switch (block.kind) {
    case 'text':
    case 'log':
    case 'diff':
      return block.lines.length > 0
    case 'list':
      return block.items.length > 0
    case 'table':
    case 'facts':
      return block.rows.length > 0
    case 'bounds':
      return block.bounds.length > 0
    case 'chart':
      return block.series.some(({ points }) => points.length > 0)
    case 'document':
      return block.text !== ''
    case 'changes':
      return block.changes.length > 0
    case 'actions':
      return block.actions.length > 0
    case 'notices':
      return block.notices.length > 0
    case 'question':
      return true
  }
}
