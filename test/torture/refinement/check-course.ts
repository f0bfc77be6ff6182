import * as fs from 'node:fs'
import { join } from 'node:path'
import type { LoopEvent } from '../../../src/contract/event.ts'
import { attemptData } from '../../../src/modes/refinement/core/event-data.ts'
import type { RefinementMemo } from '../../../src/modes/refinement/core/memo.ts'
import { followRun } from '../../../src/modes/refinement/sap/sap-log.ts'
import { isWritten } from '../../../src/modes/refinement/sap/sap-sampling.ts'
import { foldRun } from '../../../src/run/read-run.ts'
import { eventsAt, problemsAt, type RunFolder } from '../../support/runs.ts'
import { openRefinement } from './content.ts'
import type { Stage } from './stage.ts'

/** The journal is whole, iterations have no gap, no good text is lost, and a stronger model is called in once at most. */
export async function problemsOfCourse(stage: Stage, run: RunFolder): Promise<string[]> {
  const events = eventsAt(run.dir)
  const iterations = iterationsIn(events)
  // A fork of a run that has spent its escalations is raised instead.
  const raised = (event: LoopEvent): boolean =>
    event.type === 'note-received' && event.note.say === 'raise' && event.note.caps.escalations !== undefined
  const reopened = events.filter((event) => event.type === 'run-reopened' || raised(event)).length
  const escalated = events.filter((event) => event.type === 'decision-made' && event.decision.do === 'escalate').length
  return [
    ...(await problemsAt(run.dir, stage.program)),
    ...lostTexts(await memosOf(stage, run)),
    ...(iterations.every((iteration, index) => iteration === index + 1) ? [] : [`iterations ${iterations.join(' ')}`]),
    ...(escalated > 1 + reopened ? [`${escalated} escalations`] : []),
    ...problemsOfLog(stage, run, false),
  ]
}

export const iterationsIn = (events: readonly LoopEvent[]): number[] =>
  events.flatMap((event) =>
    event.type === 'attempt-ended' && !event.chore && ['ok', 'failed', 'timed-out'].includes(event.outcome.status)
      ? [attemptData(event.outcome).iteration ?? 0]
      : [],
  )

/** After each event. */
async function memosOf(stage: Stage, folder: RunFolder): Promise<RefinementMemo[]> {
  const { mode, run } = await openRefinement(stage, folder)
  const memos: RefinementMemo[] = []
  await foldRun(mode, run, null, { onStep: (_event, _before, { memo }) => memos.push(memo) })
  return memos
}

function lostTexts(memos: readonly RefinementMemo[]): string[] {
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
export function problemsOfLog({ repo }: Stage, run: RunFolder, whole: boolean): string[] {
  const path = join(repo, 'agent_logs', 'sap.log')
  const lines = fs.existsSync(path) ? fs.readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  const all = lines.map((line) => JSON.parse(line) as { uuid: string; run_id: string; seq: number })
  const told = all.filter(({ run_id }) => run_id === run.id).map(({ seq }) => seq)
  const hide = { person: (name: string) => name, words: (text: string) => text }
  const follow = followRun({ run: run.id, taskId: '', correlationId: '', branch: null, start: '', labels: {}, hide })
  const expected = eventsAt(run.dir).flatMap((event) => {
    const line = follow(event)
    return line && isWritten(line) ? [event.seq] : []
  })
  const wanted = whole ? expected : expected.slice(0, told.length)
  return [
    ...(new Set(all.map(({ uuid }) => uuid)).size === all.length ? [] : ['sap.log has a line twice']),
    ...(told.join(' ') === wanted.join(' ') ? [] : [`sap.log tells ${told.join(' ')} of ${expected.join(' ')}`]),
  ]
}
