import type { Block, Line } from '../../../src/contract/show.ts'
import { Bounds } from '../parts/bounds.tsx'
import { CommandBox } from '../parts/command-box.tsx'
import { Changes } from './changes.tsx'
import { Chart } from './chart.tsx'
import { formatCommand } from './command.ts'
import { DiffView } from './diff.tsx'
import { Notices } from './notices.tsx'
import { Question } from './question.tsx'
import { useShownRun } from './run-context.ts'
import { Spans } from './spans.tsx'
import { TableBlock } from './table.tsx'

type Of<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>

/** Renders display values of any mode, in reading order. */
export function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place in the section
    <BlockView key={index} block={block} />
  ))
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'text':
      return <Text lines={block.lines} />
    case 'list':
      return <List block={block} />
    case 'table':
      return <TableBlock block={block} />
    case 'facts':
      return <Facts rows={block.rows} />
    case 'bounds':
      return <Bounds bounds={block.bounds} />
    case 'diff':
      return <DiffView {...block} />
    case 'chart':
      return <Chart block={block} />
    case 'log':
      return <Output block={block} />
    case 'document':
      return <p className="prose px-4 py-3">{block.text}</p>
    case 'changes':
      return <Changes block={block} />
    case 'question':
      return (
        <Question question={block.question}>
          <Blocks blocks={block.question.about} />
        </Question>
      )
    case 'actions':
      return <Actions block={block} />
    case 'notices':
      return <Notices notices={block.notices} />
  }
}

const Text = ({ lines }: { readonly lines: readonly Line[] }) =>
  lines.length > 0 && (
    <div className="px-4 py-1 grid gap-1 text-ink-2">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the text
        <p key={index} className="wrap-anywhere">
          <Spans line={line} />
        </p>
      ))}
    </div>
  )

function List({ block: { items, ordered, more } }: { readonly block: Of<'list'> }) {
  if (items.length === 0) return null
  const Tag = ordered ? 'ol' : 'ul'
  return (
    <div className="px-4 py-1">
      <Tag className={ordered ? 'list-decimal pl-5' : ''}>
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place in the list
          <li key={index} className="py-0.5 wrap-anywhere">
            <Spans line={item} />
          </li>
        ))}
      </Tag>
      {more !== undefined && more > 0 && <p className="text-sm text-ink-3 py-0.5">and {more} more</p>}
    </div>
  )
}

/** Names and values. */
function Facts({ rows }: { readonly rows: Of<'facts'>['rows'] }) {
  return (
    <dl className="px-4 py-2.5 text-sm">
      {rows.map(({ name, lines }) => (
        <div key={name} className="flex gap-3 py-1">
          <dt className="w-20 flex-none text-ink-3">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">
            {lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the fact
              <p key={index}>
                <Spans line={line} />
              </p>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const Output = ({ block: { name, lines, log } }: { readonly block: Of<'log'> }) => (
  <div className="px-4 py-3">
    <p className="text-sm text-ink-2 mb-1.5">{name}</p>
    <pre className="pre">{lines.join('\n')}</pre>
    {log && <p className="mono-sm text-ink-3 mt-1.5">{log}</p>}
  </div>
)

function Actions({ block: { actions } }: { readonly block: Of<'actions'> }) {
  const { name } = useShownRun()
  return (
    <ul className="px-4 py-3 grid gap-3">
      {actions.map(({ action, does }) => {
        const command = formatCommand(action, name)
        return (
          <li key={command}>
            {does && <p className="text-sm text-ink-2 mb-1.5">{does}</p>}
            <CommandBox command={command} />
          </li>
        )
      })}
    </ul>
  )
}
