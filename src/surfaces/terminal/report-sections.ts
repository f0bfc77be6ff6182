import { relative } from 'node:path'
import { type RefineWords, refinementSections } from '../../modes/refinement/show/sections.ts'
import type { RefineSubject } from '../../modes/refinement/show/subject.ts'
import { phaseOf } from '../../modes/refinement/show/told.ts'
import { reasonsOf } from '../../run/modes.ts'
import type { AttemptRow, Changes, GateResult, Notice, Report } from '../../run/report.ts'
import { duration, moment, plural, type Section, spendLine, table, withoutEmpty } from '../../show/format.ts'
import type { UnderWay } from '../../show/under-way.ts'
import { sayReason } from '../../show/words.ts'
import { oneLine } from './one-line.ts'

/** A report as a person reads it, in the order in which it is read. A section without lines is left out. */
export function sectionsOf(report: Report, cwd: string, words?: RefineWords): Section[] {
  const { refinement, lookFirst } = report
  // What it asks has a section of its own.
  const notices = words ? lookFirst.filter(({ about }) => about !== 'asks') : lookFirst
  const first = { title: 'LOOK AT FIRST', lines: notices.flatMap((notice, index) => noticeLines(notice, index, cwd)) }
  const others = refinement && words ? refinementSections(refinement, words, report) : workSections(report)
  return [first, ...others].filter(({ lines }) => lines.length > 0)
}

function workSections(report: Report): Section[] {
  return [
    {
      title: report.base ? `WHAT CHANGED since ${report.base.slice(0, 10)}` : 'WHAT CHANGED',
      lines: changeLines(report),
    },
    { title: 'STORIES', lines: storyLines(report.delivery) },
    { title: 'GATES', lines: gateLines(report.gates) },
    { title: report.delivery ? 'ATTEMPTS' : 'ITERATIONS', lines: attemptLines(report) },
    { title: 'SPENT', lines: [spendLine(report.spend)] },
    { title: 'NEXT', lines: report.next ? [report.next] : [] },
  ]
}

export function headlineOf(report: Report, words?: RefineWords): string {
  const { name, standing, reason, underWay, waitsUntil } = report
  if (underWay) return `${name} is ${sayUnderWay(underWay, words?.refine)}`
  if (standing === 'running') return `${name} is running`
  if (report.refinement?.question) return `${name} is waiting for your answer`
  const until = waitsUntil === null ? '' : `, until ${moment(waitsUntil)} UTC`
  return `${name} is ${standing}: ${oneLine(sayReason(reasonsOf(report.dir), reason), 200)}${until}`
}

/** Where it lies and when it was. */
export const placeLine = ({ id, dir, startedAt, lastAt }: Report, cwd: string): string =>
  `${id}, ${moment(startedAt)} to ${moment(lastAt)} UTC, ${shortPath(dir, cwd)}`

export function sayUnderWay({ doing, task, sinceMs }: UnderWay, refine?: RefineSubject): string {
  if (refine) {
    const what = chores[task] ?? `${doing === 'attempt' ? 'writing' : 'judging'} ${phaseOf(task, refine).title}`
    return `${what} since ${duration(sinceMs)}`
  }
  const what = task.replace(/^iteration-/, 'iteration ')
  return `${doing === 'attempt' ? 'running' : 'running the gates of'} ${what} since ${duration(sinceMs)}`
}

const chores: Readonly<Record<string, string>> = {
  decompose: 'finding its phases',
  'single-shot': 'asking for one plain answer',
}

function noticeLines({ says, lines, log }: Notice, index: number, cwd: string): string[] {
  return [
    `${index + 1}. ${oneLine(says, 200)}`,
    ...lines.map((line) => `   | ${oneLine(line, 200)}`),
    ...(log ? [`   ${shortPath(log, cwd)}`] : []),
  ]
}

const shownChanges = 10

function changeLines({ changes, changesNote }: Report): string[] {
  const note = changesNote ? [`(${changesNote})`] : []
  if (!changes || changes.history === 'lost') return note
  const { totalCommits, commits, totalFiles, added, deleted, uncommitted } = changes
  if (totalCommits + totalFiles === 0) return ['nothing', ...note]
  const left = uncommitted ? `, ${uncommitted} not committed` : ''
  return [
    ...(totalCommits ? [plural(totalCommits, 'commit'), ...indent(commitLines(commits)), ...more(totalCommits)] : []),
    `${plural(totalFiles, 'file')}, +${added} -${deleted}${left}`,
    ...indent(fileLines(changes)),
    ...more(totalFiles),
    ...note,
  ]
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)
const more = (total: number): string[] => (total > shownChanges ? [`  and ${total - shownChanges} more`] : [])

const commitLines = (commits: Changes['commits']): string[] =>
  commits.slice(0, shownChanges).map(({ id, subject }) => `${id.slice(0, 10)} ${oneLine(subject, 100)}`)

const fileLines = ({ files }: Changes): string[] =>
  table(
    files.slice(0, shownChanges).map(({ path, status, added, deleted }) => {
      const lines = added === null || deleted === null ? 'binary' : `+${added} -${deleted}`
      return [oneLine(path, 100), lines, status === 'modified' ? '' : status]
    }),
  )

const gateLines = (gates: readonly GateResult[]): string[] =>
  table(
    gates.map(({ gate, command, status, task, at }) => {
      const name = command === null ? `gate ${gate + 1}` : oneLine(command, 60)
      return [status, name, `${task}, ${moment(at)} UTC`]
    }),
  )

const mostStories = 50

function storyLines(delivery: Report['delivery']): string[] {
  if (!delivery) return []
  const { stories, run_verification: whole } = delivery
  const rows = stories
    .slice(0, mostStories)
    .map(({ id, status, evidence, attempts, commit, title }) => [
      id,
      status,
      evidence ?? '',
      attempts ? plural(attempts, 'attempt') : '',
      commit?.slice(0, 10) ?? '',
      oneLine(title, 60),
    ])
  const why = stories.flatMap(({ id, because }) => (because ? [`${id}: ${oneLine(because, 150)}`] : []))
  const cut = stories.length - mostStories
  return [
    ...table(withoutEmpty([['STORY', 'STATUS', 'EVIDENCE', 'TRIED', 'KEPT AS', 'TITLE'], ...rows])),
    ...(cut > 0 ? [`and ${cut} more: --json`] : []),
    ...why.slice(0, 10),
    ...(whole === 'not_run' ? [] : [`the whole: verification ${whole}`]),
  ]
}

const shownAttempts = 15

function attemptLines({ attempts, attemptsMade, underWay, id }: Report): string[] {
  if (attempts.length === 0) return []
  const shown = attempts.slice(-shownAttempts)
  const cut = `(the last ${shown.length} of ${attemptsMade}; more: pawl show ${id} --json)`
  const head = ['TASK', 'TRY', 'ATTEMPT', 'VERDICT', 'DECISION', 'TIME', 'CHANGED', 'TOKENS', 'COST']
  const rows = shown.map((row) => cellsOf(row, row === attempts.at(-1) ? underWay : null))
  return [...(attemptsMade > shown.length ? [cut] : []), ...table(withoutEmpty([head, ...rows]))]
}

function cellsOf(row: AttemptRow, underWay: UnderWay | null): string[] {
  return [
    row.task,
    String(row.attempt),
    row.outcome ? oneLine(row.outcome, 30) : underWay ? 'running' : 'no result',
    oneLine(row.verdict, 40),
    row.decision,
    duration(underWay?.sinceMs ?? row.ms),
    row.changed === null ? '' : row.changed ? 'yes' : 'no',
    row.tokens === null ? '' : row.tokens.toLocaleString('en'),
    row.costUsd === null ? '' : `$${row.costUsd.toFixed(2)}`,
  ]
}

function shortPath(path: string, cwd: string): string {
  const inside = relative(cwd, path)
  return inside === '' || inside.startsWith('..') ? path : inside
}
