import type { Block, Cell, Section } from '../../../contract/show.ts'
import { plural } from '../../../show/format.ts'
import { oneLine } from '../../../show/one-line.ts'
import type { StoryResult } from '../contract/result.ts'
import type { DeliveryFacts } from '../core/facts.ts'

const mostStories = 50
const mostWhys = 10
const head = ['STORY', 'STATUS', 'EVIDENCE', 'TRIED', 'KEPT AS', 'TITLE']

/** What became of each story, and why. */
export function storiesSection({ delivery }: DeliveryFacts): Section {
  const { stories, run_verification: whole } = delivery
  const cut = stories.length - mostStories
  const why = stories.flatMap(({ id, because }) => (because ? [`${id}: ${oneLine(because, 150)}`] : []))
  const lines = [
    ...(cut > 0 ? [`and ${cut} more: --json`] : []),
    ...why.slice(0, mostWhys),
    ...(whole === 'not_run' ? [] : [`the whole: verification ${whole}`]),
  ]
  const blocks: Block[] = [
    { kind: 'table', head, rows: stories.slice(0, mostStories).map(cellsOf) },
    { kind: 'text', lines: lines.map((line) => [line]) },
  ]
  return { id: 'stories', title: 'STORIES', blocks }
}

const cellsOf = ({ id, status, evidence, attempts, commit, title }: StoryResult): Cell[] =>
  [
    id,
    status,
    evidence ?? '',
    attempts ? plural(attempts, 'attempt') : '',
    commit?.slice(0, 10) ?? '',
    oneLine(title, 60),
  ].map((text) => ({ line: [text] }))
