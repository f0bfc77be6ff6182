import * as fs from 'node:fs'
import { join } from 'node:path'
import type { LoopEvent } from '../../../src/contract/event.ts'
import type { AttemptTold } from '../../../src/modes/refinement/contract/told.ts'
import type { RefinementMemo } from '../../../src/modes/refinement/core/memo.ts'
import { followRun } from '../../../src/modes/refinement/sap/sap-follow.ts'
import { isWritten } from '../../../src/modes/refinement/sap/sap-sampling.ts'
import { foldOf } from '../../../src/run/fold-run.ts'
import { checkRun } from '../../../src/run/fsck.ts'
import type { RunEntry } from '../../../src/run/index-of-runs.ts'
import { eventsOf } from '../../../src/run/read-run.ts'
import type { Stage } from './stage.ts'

/** The journal is whole, iterations have no gap, no good text is lost, and a stronger model is called in once at most. */
export function problemsOfCourse(stage: Stage, run: RunEntry): string[] {
  const events = [...eventsOf(run.dir)]
  const iterations = iterationsIn(events)
  const reopened = events.filter(({ type }) => type === 'run-reopened').length
  const escalated = events.filter((event) => event.type === 'decision-made' && event.decision.do === 'escalate').length
  return [
    ...checkRun(run).problems,
    ...lostTexts(run, events),
    ...(iterations.every((iteration, index) => iteration === index + 1) ? [] : [`iterations ${iterations.join(' ')}`]),
    ...(escalated > 1 + reopened ? [`${escalated} escalations`] : []),
    ...problemsOfLog(stage, run, false),
  ]
}

export const iterationsIn = (events: readonly LoopEvent[]): number[] =>
  events.flatMap((event) =>
    event.type === 'attempt-ended' && !event.chore && ['ok', 'failed', 'timed-out'].includes(event.outcome.status)
      ? [(event.outcome.data as AttemptTold | undefined)?.iteration ?? 0]
      : [],
  )

function lostTexts(run: RunEntry, events: readonly LoopEvent[]): string[] {
  const fold = foldOf(run.dir)
  const memos = events.map((event) => fold(event).memo as RefinementMemo)
  return memos.flatMap((memo, index) => {
    const before = memos[index - 1]
    // Where somebody had a say after the last phase, that one is open again.
    const kept = memo.accepted.length + (memo.best ? 1 : 0)
    if (before && kept < before.accepted.length) return [`event ${index + 1} has lost a phase`]
    if (!before?.best || memo.phase !== before.phase) return []
    const same = memo.best?.output.path === before.best.output.path
    return same || (memo.best && memo.best.score >= before.best.score)
      ? []
      : [`event ${index + 1} has lost the best text`]
  })
}

/** The log tells of each event once and in order; a process that was killed may not have got so far. */
export function problemsOfLog({ repo }: Stage, run: RunEntry, whole: boolean): string[] {
  const path = join(repo, 'agent_logs', 'sap.log')
  const lines = fs.existsSync(path) ? fs.readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  const all = lines.map((line) => JSON.parse(line) as { uuid: string; run_id: string; seq: number })
  const told = all.filter(({ run_id }) => run_id === run.id).map(({ seq }) => seq)
  const hide = { person: (name: string) => name, words: (text: string) => text }
  const follow = followRun({ run: run.id, taskId: '', correlationId: '', branch: null, labels: {}, hide })
  const expected = [...eventsOf(run.dir)].flatMap((event) => {
    const line = follow(event)
    return line && isWritten(line) ? [event.seq] : []
  })
  const wanted = whole ? expected : expected.slice(0, told.length)
  return [
    ...(new Set(all.map(({ uuid }) => uuid)).size === all.length ? [] : ['sap.log has a line twice']),
    ...(told.join(' ') === wanted.join(' ') ? [] : [`sap.log tells ${told.join(' ')} of ${expected.join(' ')}`]),
  ]
}
