import type { Difference, DiffLine } from '../../../judging/text/difference.ts'
import { amount, plural } from '../../../show/format.ts'
import type { Look } from '../../../surfaces/terminal/screen.ts'
import type { HandedOver } from '../start/hand-over.ts'

export type Shown = { readonly text: string; readonly look?: Look }

const looks: Readonly<Record<DiffLine['kind'], Look | undefined>> = {
  name: 'bold',
  hunk: 'cyan',
  added: 'green',
  removed: 'red',
  same: undefined,
}
const mostLines = 1000
const longestLine = 2000

/**
 * What became of a file, as a diff that ends with its sums. At a terminal it is cut where nobody would read on; a program
 * gets all of it.
 */
export function differenceLines(found: Difference, terminal: boolean): Shown[] {
  if (found.status === 'same') return [{ text: 'No difference.' }]
  const { added, removed } = found
  if (found.status === 'replaced') {
    return [{ text: `whole text replaced: ${sums(added, removed)}` }]
  }
  const shown = terminal ? found.lines.slice(0, mostLines) : found.lines
  const left = found.lines.length - shown.length
  return [
    ...shown.map(({ kind, text }) => ({
      text: terminal ? cut(text) : text,
      ...(looks[kind] && { look: looks[kind] }),
    })),
    ...(left > 0 ? [{ text: `… ${plural(left, 'line')} more`, look: 'dim' as const }] : []),
    { text: `${plural(found.hunks, 'hunk')}, ${sums(added, removed)}` },
  ]
}

/** What was written, or how to take what was not. */
export const handOverLines = ({ says, next }: HandedOver): string[] =>
  says === '' ? [] : [next === undefined ? says : `${says} ${says.endsWith(':') ? '' : 'To take it: '}${next}`]

const sums = (added: number, removed: number): string => `+${amount(added)} −${amount(removed)}`
const cut = (text: string): string => (text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text)
