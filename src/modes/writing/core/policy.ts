import type { Decision, Stop, Task } from '../../../contract/event.ts'
import type { CapName, Caps, Ref } from '../../../contract/values.ts'
import type { Policy, View } from '../../../kernel/policy.ts'
import type { WritingRequest } from '../contract/request.ts'
import { outcomeData, verdictData } from './event-data.ts'
import { emptyMemo, foldMemo, isAbout, questionId, type Topic, type WritingMemo } from './memo.ts'
import { because, type WritingReason } from './reasons.ts'

/** The part of the request that decisions depend on. */
export type Terms = Pick<WritingRequest, 'kind' | 'rules' | 'answers' | 'writer' | 'describer'>

type MemoView = View<WritingMemo>

/**
 * An iteration: write and judge until the judge or the person is content, describe the difference, ask, save. Writing is the task; the
 * description and saving are chores. There is no limit on attempts while a person decides (seed 003).
 */
export const writingPolicy = (terms: Terms, caps: Caps): Policy<WritingMemo> => ({
  name: 'writing',
  version: 1,
  caps,
  memo: emptyMemo,
  fold: foldMemo(terms.kind),
  pick: (view) => pick(terms, view),
  decide: (view) => decide(terms, view),
  whenSpent: (cap) => stop('failed', 'cap_spent', { cap }),
})

function pick({ kind, writer, describer }: Terms, { memo }: MemoView): Task | Stop {
  const { stage, attempts, draftOf, saved } = memo
  switch (stage) {
    case 'revise':
      return { id: `revise-${attempts + 1}`, kind: 'work', via: writer, tried: attempts }
    case 'describe':
      return { id: `describe-${draftOf}`, kind: 'chore', via: describer }
    case 'finalize':
      return { id: 'finalize', kind: 'chore' }
    case 'done':
      if (saved?.commit === null) return stop('completed', 'nothing_changed')
      return stop('completed', kind === 'iterate' ? 'accepted' : 'generated')
  }
}

function decide(terms: Terms, view: MemoView): Decision {
  const { task, outcome } = view.state
  if (outcome?.status === 'interrupted') return { do: 'retry' }
  if (task?.id === 'finalize') return decideSaving(view)
  return task?.kind === 'work' ? decideRevision(terms, view) : decideDescription(terms, view)
}

function decideRevision(terms: Terms, view: MemoView): Decision {
  const { state, memo } = view
  const { outcome, verdict } = state
  if (outcome?.status === 'unavailable') return decideOutage(terms, view, 'write')
  if (verdict?.status === 'unavailable' && memo.skips !== 'judge') return decideOutage(terms, view, 'judge')
  if (verdict?.status !== 'failed') return { do: 'settle', as: 'done' }
  return decideRejected(terms, view)
}

/** The judge, or a check of the text, rejects the attempt. */
function decideRejected(terms: Terms, view: MemoView): Decision {
  const { state, memo } = view
  const { rules, answers, kind } = terms
  const { attempts, draft } = memo
  const answer = answerTo(view, 'judge')
  if (answer === 'abort') return stop('cancelled', 'aborted')
  if (answer === 'no' || answer === 'view-partial') return { do: 'settle', as: 'done' }
  if (answer) return { do: 'retry' }
  const isBroken = verdictData(state.verdict).by === 'structure' && attempts < brokenAttempts
  if (attempts < rules.softLimit && (isBroken || attempts < rules.askAfter)) return { do: 'retry' }
  if (answers?.judge === 'no' && draft) return { do: 'settle', as: 'done' }
  if (answers?.judge === 'abort') return stop('cancelled', 'aborted')
  if (answers) return attempts < rules.maxAttempts ? { do: 'retry' } : stop('failed', 'attempts_used')
  // Without a draft there is nothing to accept or to view.
  const more = draft ? (kind === 'iterate' ? ['no', 'view-partial'] : ['no']) : []
  const choices = ['yes', ...more, 'abort', ...(kind === 'iterate' ? ['edit'] : [])]
  return ask(view, 'judge', 'judge_rejects', choices, memo.verdicts.at(-1), { attempt: attempts })
}

/** A text that code finds broken, such as one without its headings, is tried once more without asking. */
const brokenAttempts = 2

function decideDescription(terms: Terms, view: MemoView): Decision {
  const { state, memo } = view
  if (state.outcome?.status === 'unavailable' && memo.skips !== 'describe') return decideOutage(terms, view, 'describe')
  if (state.outcome?.status === 'unavailable') return { do: 'retry' }
  const about = memo.diff ?? undefined
  if (memo.isPartial) {
    const answer = answerTo(view, 'partial')
    if (answer === 'abort') return stop('cancelled', 'aborted')
    if (answer) return { do: 'settle', as: 'done' }
    return ask(view, 'partial', 'continue_after_view', ['yes', 'no', 'abort', 'edit'], about)
  }
  const answer = answerTo(view, 'accept') ?? terms.answers?.accept
  if (answer === 'no') return stop('cancelled', 'rejected')
  // Somebody who picks nothing has not decided.
  const isOpen = answer === 'some' && memo.picks.length === 0
  if (answer && !isOpen) return { do: 'settle', as: 'done' }
  return ask(view, 'accept', 'accept_changes', ['yes', 'no', 'some'], about)
}

function decideSaving(view: MemoView): Decision {
  const { verdict, outcome } = view.state
  if (verdict?.status === 'passed') return { do: 'settle', as: 'done' }
  const answer = answerTo(view, 'save')
  if (answer === 'retry') return { do: 'retry' }
  if (answer === 'abort') return stop('cancelled', 'aborted')
  return ask(view, 'save', 'cannot_save', ['retry', 'abort'], outcome?.output)
}

const shortWaitMs = 15_000

/** A provider that fails uses up no attempt: what is written is kept, and the person decides. */
function decideOutage(terms: Terms, view: MemoView, step: 'write' | 'judge' | 'describe'): Decision {
  const { state, memo } = view
  const retryAt = state.outcome?.status === 'unavailable' ? state.outcome.retryAt : state.verdict?.retryAt
  // Without a person, asking again at once would only use up the tries. Writing cannot be skipped.
  const said = terms.answers?.provider
  const given = said === 'retry' || (said === 'skip' && step === 'write') ? 'wait' : said
  const answer = answerTo(view, 'provider') ?? given
  if (answer === 'abort') return stop('cancelled', 'aborted')
  if (answer === 'skip') return step === 'judge' ? { do: 'settle', as: 'done' } : { do: 'retry' }
  if (answer === 'wait') {
    return { do: 'wait', until: retryAt ?? memo.at + shortWaitMs, reason: because(waitReason(view)) }
  }
  // A wait of no length: the same attempt is judged again, and not written again.
  if (answer === 'retry')
    return step === 'judge' ? { do: 'wait', until: memo.at, reason: because('no_judgement') } : { do: 'retry' }
  const skip = step === 'write' ? [] : ['skip']
  return ask(view, 'provider', 'no_answer', ['retry', 'wait', ...skip, 'abort'], undefined, { step })
}

function waitReason({ state }: MemoView): WritingReason {
  if (outcomeData(state.outcome).fault === 'limit') return 'usage_limit'
  return state.outcome?.status === 'unavailable' ? 'model_down' : 'no_judgement'
}

/** The person's answer to the last question, if it was about this topic. */
const answerTo = ({ state: { answer } }: MemoView, topic: Topic): string | undefined =>
  answer && isAbout(answer.questionId, topic) ? answer.choice : undefined

function ask(
  { state }: MemoView,
  topic: Topic,
  code: WritingReason,
  choices: readonly string[],
  about: Ref | undefined,
  more: Readonly<Record<string, string | number>> = {},
): Decision {
  const question = { id: questionId(topic, state.seq), topic: because(code, more), choices, ...(about && { about }) }
  return { do: 'pause', question }
}

const stop = (ending: Stop['ending'], code: WritingReason, more: { readonly cap?: CapName } = {}): Stop => ({
  do: 'stop',
  ending,
  reason: because(code, more),
})
