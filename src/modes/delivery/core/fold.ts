import type { LoopEvent, Outcome, Verdict } from '../../../contract/event.ts'
import type { LoopState } from '../../../kernel/state.ts'
import type { Plan } from '../contract/plan.ts'
import type { Reason, Tampering } from '../contract/result.ts'
import { type Amendment, attemptData, readAmendment, readJob, type Tree, verdictData } from './event-data.ts'
import { type DeliveryMemo, findStoryMemo, newStory, type StoryMemo } from './memo.ts'

const maxTamperings = 20
const maxEarlier = 10
const maxChurn = 100

/** Returns the memo after one stored event. Pure. */
export const foldDelivery =
  (plans: ReadonlyMap<string, Plan>) =>
  (memo: DeliveryMemo, event: LoopEvent, before: LoopState): DeliveryMemo => {
    switch (event.type) {
      case 'attempt-started':
        return changesFiles(before) ? { ...memo, left: null } : memo
      case 'attempt-ended':
        return { ...attempted(memo, event.outcome, before), left: leftByAttempt(memo, event.outcome, before) }
      case 'verdict-reached':
        return { ...judged(memo, event.verdict, before), left: leftByVerdict(memo, event.verdict, before) }
      case 'decision-made':
        return event.decision.do === 'settle' ? settled(memo, event.decision.as, event.by, before) : memo
      case 'run-reopened':
        return reopened(memo)
      case 'run-resumed':
        return { ...memo, checked: false }
      case 'note-received': {
        const { note } = event
        if (note.say === 'answer' && note.choice === 'reject' && before.task) {
          return withStory(memo, before.task.id, { refused: true })
        }
        if (note.say === 'answer' && note.choice === 'continue') return { ...memo, redAccepted: true }
        return note.say === 'amend' ? amended(memo, readAmendment(note.terms), note.by, plans) : memo
      }
      case 'run-started':
      case 'run-interrupted':
      case 'run-ended':
      case 'task-picked':
      case 'call-ended':
      case 'wait-ended':
        return memo
    }
  }

/** Keeping a story and looking for commits leave the files as they are. */
const changesFiles = ({ task }: LoopState): boolean => !['keep', 'check'].includes(readJob(task).do)

function leftByAttempt({ left, stories }: DeliveryMemo, outcome: Outcome, before: LoopState): Tree | null {
  const { do: kind, story } = readJob(before.task)
  const { tree = null } = attemptData(outcome)
  if (!changesFiles(before)) return left
  if (kind === 'put-away') return outcome.status === 'ok' ? (stories[story]?.base ?? null) : null
  // The commands run next, and may change files.
  const isJudgedNext = kind === 'story' && !['interrupted', 'unavailable'].includes(outcome.status)
  return isJudgedNext ? null : tree
}

function leftByVerdict(memo: DeliveryMemo, verdict: Verdict, { task }: LoopState): Tree | null {
  if (readJob(task).do !== 'story') return memo.left
  const { left } = verdictData(verdict)
  return left ?? null
}

function withStory(memo: DeliveryMemo, id: string, change: Partial<StoryMemo>): DeliveryMemo {
  return { ...memo, stories: { ...memo.stories, [id]: { ...findStoryMemo(memo, id), ...change } } }
}

function attempted(memo: DeliveryMemo, outcome: Outcome, before: LoopState): DeliveryMemo {
  const job = readJob(before.task)
  const data = attemptData(outcome)
  const ok = outcome.status === 'ok'
  const trouble = ok ? null : (outcome.detail ?? outcome.status)
  switch (job.do) {
    case 'baseline':
      if (!ok) return { ...memo, trouble }
      return withStory({ ...memo, trouble }, job.story, {
        away: false,
        base: data.tree ?? null,
        before: data.was ?? 'red',
        failed: data.command ?? null,
        said: outcome.output ?? null,
        ids: data.ids ?? null,
        churn: uniteChurn(memo, data.churn ?? []),
        head: data.head ?? null,
      })
    case 'keep':
      if (!ok) return { ...memo, trouble }
      return withStory({ ...memo, trouble }, job.story, { kept: true, commit: data.commit ?? null })
    case 'put-away':
      if (!ok) return { ...memo, trouble }
      // The next try starts from a different tree, so it needs a new baseline.
      return withStory({ ...memo, trouble }, job.story, { away: true, base: null, before: null })
    case 'check':
      if (!ok) return { ...memo, trouble }
      return withoutStories(
        { ...memo, trouble, checked: true },
        data.removed ?? [],
        'its commit is no longer in the branch',
      )
    case 'verify-run':
      if (outcome.status === 'interrupted' || outcome.status === 'unavailable') return memo
      return { ...memo, trouble, runVerification: ok ? 'passed' : 'failed' }
    case 'story': {
      const burned = ok || outcome.status === 'failed' || outcome.status === 'timed-out'
      const story = findStoryMemo(memo, job.story)
      const lastAttempt = before.attempt
      if (!burned || data.stale) return withStory(memo, job.story, { lastAttempt })
      return withStory(memo, job.story, {
        lastAttempt,
        attempts: story.attempts + 1,
        tries: story.tries + 1,
        exits: story.exits + (outcome.status === 'failed' ? 1 : 0),
        timeouts: story.timeouts + (outcome.status === 'timed-out' ? 1 : 0),
        refused: false,
        tampering: mergeTampering(story.tampering, data.tampering ?? []),
      })
    }
  }
}

/** A cache changes only if the product does: what the commands changed before an earlier story counts as well. */
const uniteChurn = ({ stories }: DeliveryMemo, now: readonly string[]): readonly string[] =>
  [...new Set([...now, ...Object.values(stories).flatMap(({ churn }) => churn)])].slice(0, maxChurn)

/** Lists each kind and path once, as reported by the last attempt that has it. */
function mergeTampering(before: readonly Tampering[], now: readonly Tampering[]): readonly Tampering[] {
  const again = (one: Tampering): boolean => now.some(({ kind, path }) => kind === one.kind && path === one.path)
  return [...before.filter((one) => !again(one)), ...now].slice(-maxTamperings)
}

function judged(memo: DeliveryMemo, verdict: Verdict, before: LoopState): DeliveryMemo {
  const job = readJob(before.task)
  if (job.do !== 'story' || verdict.status === 'unavailable') return memo
  const story = findStoryMemo(memo, job.story)
  const {
    evidence = null,
    tree = null,
    mark,
    moved = [],
    tampering: touched = [],
    place = null,
    runs = [],
    red,
  } = verdictData(verdict)
  const tampering = mergeTampering(story.tampering, touched)
  const unproven = story.unproven + (evidence === 'unproven' ? 1 : 0)
  if (verdict.status === 'passed') {
    const passed = {
      verification: 'passed',
      evidence,
      place,
      runs,
      tree,
      moved,
      unproven,
      tampering,
      critique: verdict.evidence ?? null,
    } as const
    const green = tree && mark ? { tree, mark } : memo.green
    return withStory({ ...memo, green, stillRed: red ?? null }, job.story, passed)
  }
  const line = `attempt ${before.attempt}: ${verdict.detail ?? 'failed'}`
  const { changed, exitCode } = attemptData(before.outcome)
  const { by, command } = verdictData(verdict)
  const how = changed === false ? JSON.stringify([before.outcome?.status, exitCode, by, command]) : ''
  const times = how === '' ? 0 : how === story.idle.how ? story.idle.times + 1 : 1
  return withStory(memo, job.story, {
    verification: 'failed',
    runs,
    unproven,
    tampering,
    because: verdict.detail ?? null,
    critique: verdict.evidence ?? null,
    earlier: [...story.earlier, line].slice(-maxEarlier),
    idle: { how, times },
  })
}

type Ended = 'done' | 'failed' | 'blocked' | 'interrupted'

function settled(memo: DeliveryMemo, as: Ended, by: string, before: LoopState): DeliveryMemo {
  const job = readJob(before.task)
  if (job.do !== 'story' || as === 'interrupted') return memo
  const story = findStoryMemo(memo, job.story)
  if (as === 'done') {
    const because = before.verdict?.detail ?? null
    return withStory(memo, job.story, { status: as, reason: null, because, critique: null })
  }
  const reason = as === 'blocked' ? 'blocked_dependency' : decideFailureReason(story, by, before)
  return withStory(memo, job.story, { status: as, reason, because: describeCause(story, reason, before.outcome) })
}

/** If the agent failed every time, failing commands are only a consequence. */
function describeCause({ because, idle }: StoryMemo, reason: Reason, outcome: Outcome | undefined): string | null {
  const detail = outcome?.detail
  if (reason === 'story_verification_failed' && idle.times > 1) {
    return `${idle.times} attempts in a row changed nothing and failed in the same way: ${because ?? 'no detail'}`
  }
  if (reason === 'agent_exit_nonzero') return `the agent failed in every attempt, last with: ${detail}`
  return because ?? detail ?? null
}

/** Blames the agent only if it failed or timed out in every attempt: a later run may succeed then. */
function decideFailureReason({ tries, exits, timeouts, idle }: StoryMemo, by: string, { verdict }: LoopState): Reason {
  if (by === 'policy' && verdictData(verdict).hopeless) return 'story_verification_failed'
  const isStuck = by === 'policy' && idle.times > 1
  const agentAlwaysFailed = tries > 0 && exits + timeouts === tries
  if (by !== 'attemptsPerRun' && agentAlwaysFailed) return timeouts === tries ? 'agent_timeout' : 'agent_exit_nonzero'
  const { by: cause, late } = verdictData(verdict)
  if (isStuck || (by === 'taskMs' && cause === 'command' && late)) return 'story_verification_failed'
  return 'attempt_budget_exhausted'
}

/** Resets the budgets of unfinished stories. Attempt numbers and totals continue. */
function reopened(memo: DeliveryMemo): DeliveryMemo {
  const again = {
    status: 'open',
    away: false,
    tries: 0,
    exits: 0,
    timeouts: 0,
    unproven: 0,
    reason: null,
    because: null,
    idle: newStory.idle,
  } as const
  const stories = Object.entries(memo.stories).map(([id, story]) => [
    id,
    story.status === 'done' ? { ...story, head: null } : { ...story, ...again, ...newBaseline(story), head: null },
  ])
  const open = { runVerification: 'not_run', trouble: null, checked: false, undone: null } as const
  return { ...memo, stories: Object.fromEntries(stories), ...open }
}

/** Before the first attempt the commands run again: a person may have repaired what they check. */
const newBaseline = ({ lastAttempt }: StoryMemo) => (lastAttempt === 0 ? { base: null, before: null } : {})

/** Opens finished stories again, because their changes are no longer there. Attempt numbers continue. */
function withoutStories(memo: DeliveryMemo, ids: readonly string[], because: string): DeliveryMemo {
  if (ids.length === 0) return memo
  const again = ids.map((id) => {
    const { lastAttempt, attempts, removed } = findStoryMemo(memo, id)
    return [id, { ...newStory, lastAttempt, attempts, removed: removed + 1, because }]
  })
  return { ...memo, stories: { ...memo.stories, ...Object.fromEntries(again) }, runVerification: 'not_run' }
}

/** Under a new plan, stories with the same hash stay done, even under another id. Attempt numbers continue. */
function amended(
  memo: DeliveryMemo,
  { undone, leave, ...terms }: Amendment,
  by: string,
  plans: ReadonlyMap<string, Plan>,
): DeliveryMemo {
  const { plan } = terms
  const removed = undone === undefined ? memo : withoutStories(memo, [undone], `undone by ${by}`)
  const chosen = {
    ...removed,
    terms: { ...memo.terms, ...terms },
    undone: undone !== undefined && leave ? { story: undone, by } : memo.undone,
  }
  const [from, to] = [plans.get(chosen.plan), plan === undefined ? undefined : plans.get(plan)]
  if (plan === undefined || plan === chosen.plan || !from || !to) return chosen
  const done = new Map(
    from.stories.flatMap(({ id, sha256 }) => {
      const story = findStoryMemo(chosen, id)
      return story.status === 'done' ? [[sha256, story]] : []
    }),
  )
  const stories = to.stories.map(({ id, sha256 }) => {
    const { lastAttempt, attempts } = findStoryMemo(chosen, id)
    return [id, done.get(sha256) ?? { ...newStory, lastAttempt, attempts }]
  })
  return {
    ...chosen,
    plan,
    replanned: chosen.replanned + 1,
    stories: Object.fromEntries(stories),
    runVerification: 'not_run',
  }
}
