import type { Block, DiffLine } from '../../contract/show.ts'
import { formatAmount, formatCount } from '../../show/format.ts'
import type { Look, StyledLine } from './styled.ts'

type Diff = Extract<Block, { kind: 'diff' }>

const looks: Readonly<Record<DiffLine['kind'], Look | undefined>> = {
  name: 'bold',
  hunk: 'cyan',
  added: 'green',
  removed: 'red',
  same: undefined,
}
const maxLines = 1000
const maxLineLength = 2000

/** Renders a diff with its totals at the end. Long diffs are cut at a terminal; a program gets all of it. */
export function renderDiff({ lines, hunks, added, removed, replaced }: Diff, terminal: boolean): StyledLine[] {
  const sums = `+${formatAmount(added)} −${formatAmount(removed)}`
  if (replaced) return [{ text: `entire text replaced: ${sums}` }]
  if (lines.length === 0) return [{ text: 'No difference.' }]
  const shown = terminal ? lines.slice(0, maxLines) : lines
  const left = lines.length - shown.length
  return [
    ...shown.map(({ kind, text }) => ({
      text: terminal ? cut(text) : text,
      ...(looks[kind] && { look: looks[kind] }),
    })),
    ...(left > 0 ? [{ text: `… ${formatCount(left, 'line')} more`, look: 'dim' as const }] : []),
    { text: `${formatCount(hunks, 'hunk')}, ${sums}` },
  ]
}

const cut = (text: string): string => (text.length > maxLineLength ? `${text.slice(0, maxLineLength - 1)}…` : text)
