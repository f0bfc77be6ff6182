import type { Changes } from '../contract/changes.ts'
import type { Block, Cell, Line, Section, UnderWay } from '../contract/show.ts'
import { formatAmount, formatCount, formatSpend, toOneLine } from './format.ts'
import { resultLook } from './lines.ts'
import type { AttemptRow } from './report/attempts.ts'
import type { WorkFacts } from './report/collect.ts'
import type { GateResult } from './report/gates.ts'
import type { Report } from './show.ts'

const shownChanges = 10

/** The changes in the work tree since the run started. */
export function changesSection({ base, changes, changesNote }: WorkFacts): Section {
  const note = changesNote ? [text(`(${changesNote})`)] : []
  return {
    id: 'changes',
    title: base ? `WHAT CHANGED since ${base.slice(0, 10)}` : 'WHAT CHANGED',
    blocks: changes && changes.history !== 'lost' ? [...changeBlocks(changes), ...note] : note,
  }
}

const text = (line: string): Block => ({ kind: 'text', lines: [[line]] })

function changeBlocks(changes: Changes): Block[] {
  const { totalCommits, commits, totalFiles, added, deleted, uncommitted } = changes
  if (totalCommits + totalFiles === 0) return [text('nothing')]
  const left = uncommitted ? `, ${uncommitted} not committed` : ''
  return [
    ...(totalCommits ? [text(formatCount(totalCommits, 'commit')), list(commitLines(commits), totalCommits)] : []),
    text(`${formatCount(totalFiles, 'file')}, +${added} -${deleted}${left}`),
    ...(totalFiles ? fileBlocks(changes) : []),
  ]
}

/** Indented below the line that counts them. */
const list = (lines: readonly string[], total: number): Block => ({
  kind: 'list',
  items: [...lines, ...(total > shownChanges ? [`and ${total - shownChanges} more`] : [])].map((line) => [`  ${line}`]),
})

const commitLines = (commits: Changes['commits']): string[] =>
  commits.slice(0, shownChanges).map(({ id, subject }) => `${id.slice(0, 10)} ${toOneLine(subject, 100)}`)

function fileBlocks({ files, totalFiles }: Changes): Block[] {
  const rows = files.slice(0, shownChanges).map(({ path, status, added, deleted }) => {
    const lines = added === null || deleted === null ? 'binary' : `+${added} -${deleted}`
    return [`  ${toOneLine(path, 100)}`, lines, status === 'modified' ? '' : status].map(cell)
  })
  const more = totalFiles > shownChanges ? [text(`  and ${totalFiles - shownChanges} more`)] : []
  return [{ kind: 'table', head: [], rows, narrow: { shorten: [0], drop: [] } }, ...more]
}

/** The last result of each gate. */
export const gatesSection = ({ gates }: WorkFacts): Section => ({
  id: 'gates',
  title: 'GATES',
  blocks: gates.length
    ? [{ kind: 'table', head: [], rows: gates.map(gateCells), narrow: { shorten: [1], drop: [2] } }]
    : [],
})

function gateCells({ gate, command, status, task, at }: GateResult): Cell[] {
  const name = command === null ? `gate ${gate + 1}` : toOneLine(command, 60)
  return [{ line: [resultLook(status)] }, cell(name), { line: [`${task}, `, { is: 'at', at }] }]
}

const cell = (content: string): Cell => ({ line: [content] })

const shownAttempts = 15
const head = ['TASK', 'TRY', 'ATTEMPT', 'VERDICT', 'DECISION', 'TIME', 'CHANGED', 'TOKENS', 'COST']

/** Times and texts are shortened first; what `show --json` has anyway is dropped first. */
const narrow = { shorten: [0, 2, 3], drop: [6, 7, 1, 8, 4, 2] }

/** The last attempts, one per row. `title` is the mode's name for them: ITERATIONS. */
export function attemptsSection({ facts, underWay, id }: Report<WorkFacts>, title: string): Section {
  const { attempts, attemptsMade, totals } = facts
  const uncounted = totals.started - totals.attempts - (underWay ? 1 : 0)
  const shown = attempts.slice(-shownAttempts)
  const cut: Line = [
    `(the last ${shown.length} of ${attemptsMade}; more: `,
    { is: 'action', action: { do: 'command', argv: ['pawl', 'show', id, '--json'] } },
    ')',
  ]
  const rows = shown.map((row) => attemptCells(row, row === attempts.at(-1) ? underWay : null))
  const table: Block = { kind: 'table', head, rows, narrow }
  return {
    id: 'attempts',
    title,
    blocks: [
      ...(attemptsMade > shown.length ? [{ kind: 'text' as const, lines: [cut] }] : []),
      ...(rows.length ? [table] : []),
      ...(uncounted > 0 ? [text(`${uncounted} of them did not count: interrupted, or the agent could not start`)] : []),
    ],
  }
}

const attemptCells = (row: AttemptRow, underWay: UnderWay | null): Cell[] => [
  cell(row.task),
  cell(String(row.attempt)),
  cell(row.outcome ? toOneLine(row.outcome, 30) : underWay ? 'running' : 'no result'),
  { line: [resultLook(toOneLine(row.verdict, 40))] },
  { line: [resultLook(row.decision)] },
  { line: [underWay ? { is: 'since', at: underWay.since } : { is: 'duration', ms: row.ms }] },
  cell(row.changed === null ? '' : row.changed ? 'yes' : 'no'),
  cell(row.tokens === null ? '' : formatAmount(row.tokens)),
  cell(row.costUsd === null ? '' : `$${row.costUsd.toFixed(2)}`),
]

export const spentSection = <Facts>({ spend }: Report<Facts>): Section => ({
  id: 'spent',
  title: 'SPENT',
  blocks: [text(formatSpend(spend))],
})

/** The action that continues the run. */
export const nextSection = <Facts>({ next }: Report<Facts>): Section => ({
  id: 'next',
  title: 'NEXT',
  blocks: next ? [{ kind: 'actions', actions: [{ action: next }] }] : [],
})
