import { continueWith } from '../../../app/continue-run.ts'
import { withDetail } from '../../../app/explain-run.ts'
import { findRun } from '../../../app/find-run.ts'
import { readRun } from '../../../app/read-run.ts'
import { spendOf } from '../../../app/spend.ts'
import type { Handler } from '../command.ts'
import { duration, moment, spendLine, table } from '../format.ts'
import { sayReason } from '../words.ts'

type Row = { task: string; attempt: number; outcome: string; verdict: string; decision: string; ms: number }
const shown = 30

export const handle: Handler = async ({ place, args, io }) => {
  const run = findRun(place, args[0])
  const rows: Row[] = []
  const read = readRun(run.dir, (event, before) => {
    if (event.type === 'attempt-started') {
      rows.push({ task: event.task ?? '', attempt: event.attempt ?? 0, outcome: '', verdict: '', decision: '', ms: 0 })
      // Bounded, however long the run is: people look at the end, machines read the journal.
      if (rows.length > 2000) rows.shift()
    }
    const row = rows.at(-1)
    if (!row) return
    if (event.type === 'attempt-ended') row.outcome = withDetail(event.outcome).slice(0, 60)
    if (event.type === 'verdict-reached') row.verdict = withDetail(event.verdict).slice(0, 60)
    if (event.type === 'decision-made' && before.task) {
      row.decision = event.decision.do === 'settle' ? event.decision.as : event.decision.do
      row.ms = before.taskMs
    }
  })
  const { standing, state, startedAt, lastAt } = read
  const next = continueWith(run, read) ?? null
  const spend = spendOf(state)
  io.result({ ...run, standing, reason: state.ended?.reason ?? null, spend, attempts: rows, next }, () => [
    `${run.name}  ${run.id}`,
    `status   ${standing}${state.ended ? ` (${sayReason(state.ended.reason)})` : ''}`,
    `spent    ${spendLine(spend)}`,
    `when     ${moment(startedAt)} to ${moment(lastAt)} UTC`,
    `files    ${run.dir}`,
    ...(next ? [`next     ${next}`] : []),
    '',
    ...(rows.length > shown
      ? [`(the last ${shown} of ${rows.length} attempts; all of them: pawl show ${run.id} --json)`]
      : []),
    ...table([
      ['TASK', 'TRY', 'ATTEMPT', 'VERDICT', 'DECISION', 'TIME'],
      ...rows
        .slice(-shown)
        .map((row) => [row.task, String(row.attempt), row.outcome, row.verdict, row.decision, duration(row.ms)]),
    ]),
  ])
  return 0
}
