import type { LoopEvent, Note } from '../../../contract/event.ts'
import type { Ref } from '../../../contract/values.ts'
import { accepts, type LoopState } from '../../../kernel/state.ts'
import type { WritingRequest } from '../contract/request.ts'
import { type OutcomeData, outcomeData, verdictData } from './event-data.ts'

/** What comes next: write and judge, describe the difference, save, or nothing. */
export type Stage = 'revise' | 'describe' | 'finalize' | 'done'

/** The memory of an iteration. */
export type WritingMemo = {
  /** Time of the last event: rules have no clock of their own. */
  readonly at: number
  readonly stage: Stage
  /** Attempts at writing that ended with a result, good or bad. */
  readonly attempts: number
  /** The newest draft, and the attempt that wrote it. */
  readonly draft: Ref | null
  readonly draftOf: number
  /** The verdict on the newest attempt. `none`: the judge was skipped. */
  readonly verdict: 'approved' | 'needs_revision' | 'none' | null
  /** Stored verdicts, oldest first, and texts that the person added, each for the next attempts. */
  readonly verdicts: readonly Ref[]
  readonly edits: readonly Ref[]
  /** The description of the difference, and the draft that it describes. */
  readonly diff: Ref | null
  readonly diffOf: number
  /** The number of changes that it names. */
  readonly changes: number
  /** The person asked to see a draft that the judge rejected. */
  readonly isPartial: boolean
  /** The person chose to go on without this step, because its model does not answer. */
  readonly skips: 'judge' | 'describe' | null
  readonly accepted: 'all' | 'some' | null
  /** When saving began: the time of the history entry. */
  readonly settledAt: number
  readonly picks: readonly string[]
  readonly saved: OutcomeData | null
}

export const emptyMemo: WritingMemo = {
  at: 0,
  stage: 'revise',
  attempts: 0,
  draft: null,
  draftOf: 0,
  verdict: null,
  verdicts: [],
  edits: [],
  diff: null,
  diffOf: 0,
  changes: 0,
  isPartial: false,
  skips: null,
  accepted: null,
  settledAt: 0,
  picks: [],
  saved: null,
}

/** Questions are told apart by the beginning of their ids. */
export type Topic = 'judge' | 'partial' | 'accept' | 'provider' | 'save'
export const questionId = (topic: Topic, seq: number): string => `${topic}-${seq}`
export const isAbout = (id: string, topic: Topic): boolean => id.startsWith(`${topic}-`)

const maxTexts = 20

/** Returns the memo after one more event. */
export const foldMemo =
  (kind: WritingRequest['kind']) =>
  (before: WritingMemo, event: LoopEvent, state: LoopState): WritingMemo => {
    const memo = { ...before, at: event.at }
    switch (event.type) {
      case 'attempt-ended':
        return attempted(memo, event, state)
      case 'verdict-reached': {
        if (event.chore) return memo
        const { status, evidence } = event.verdict
        if (status === 'unavailable') return memo
        const verdict = verdictData(event.verdict).verdict ?? (status === 'passed' ? 'approved' : 'needs_revision')
        return { ...memo, verdict, verdicts: evidence ? [...memo.verdicts, evidence].slice(-maxTexts) : memo.verdicts }
      }
      case 'note-received':
        return event.note.say === 'answer' ? answered(memo, event.note, state) : memo
      case 'decision-made':
        return event.decision.do === 'settle' ? { ...settled(memo, kind, state), settledAt: event.at } : memo
      case 'run-reopened':
        // A rejected iteration that is resumed goes on with another attempt.
        return memo.stage === 'done' ? memo : { ...memo, stage: 'revise', accepted: null, picks: [], isPartial: false }
      case 'run-started':
      case 'run-resumed':
      case 'run-interrupted':
      case 'run-ended':
      case 'task-picked':
      case 'attempt-started':
      case 'call-ended':
      case 'wait-ended':
        return memo
    }
  }

function attempted(
  memo: WritingMemo,
  { outcome }: Extract<LoopEvent, { type: 'attempt-ended' }>,
  { task }: LoopState,
): WritingMemo {
  const { status, output } = outcome
  if (status === 'interrupted' || status === 'unavailable') return memo
  if (task?.kind === 'work') {
    const attempts = memo.attempts + 1
    const draft = output ? { draft: output, draftOf: attempts } : {}
    return { ...memo, attempts, verdict: null, skips: null, ...draft }
  }
  if (status !== 'ok') return memo
  if (task?.id === 'finalize') return { ...memo, saved: outcomeData(outcome) }
  return { ...memo, diff: output ?? memo.diff, diffOf: memo.draftOf, changes: outcomeData(outcome).changes ?? 0 }
}

function answered(memo: WritingMemo, note: Extract<Note, { say: 'answer' }>, state: LoopState): WritingMemo {
  const { questionId: id, choice, text, picks = [] } = note
  if (!accepts(state.question, note)) return memo
  if (isAbout(id, 'provider') && choice === 'skip') {
    return state.task?.kind === 'work' ? { ...memo, skips: 'judge', verdict: 'none' } : { ...memo, skips: 'describe' }
  }
  if (isAbout(id, 'partial') && choice === 'no') return { ...memo, isPartial: false }
  if (isAbout(id, 'accept')) {
    if (choice === 'yes') return { ...memo, accepted: 'all', picks: [] }
    return choice === 'some' ? { ...memo, accepted: 'some', picks } : memo
  }
  return text && choice === 'edit' ? { ...memo, edits: [...memo.edits, text].slice(-maxTexts) } : memo
}

function settled(memo: WritingMemo, kind: WritingRequest['kind'], { task, answer }: LoopState): WritingMemo {
  if (task?.kind === 'work') {
    if (answer?.choice === 'view-partial') return { ...memo, stage: 'describe', isPartial: true }
    return { ...memo, stage: kind === 'iterate' ? 'describe' : 'finalize' }
  }
  if (task?.id === 'finalize') return { ...memo, stage: 'done' }
  return memo.isPartial ? { ...memo, stage: 'revise', isPartial: false } : { ...memo, stage: 'finalize' }
}
