import type { DeliveryPolicy } from '../../contract/delivery/input.ts'
import type { Plan } from '../../contract/delivery/plan.ts'
import type { Evidence, Reason, Tampering } from '../../contract/delivery/result.ts'
import type { LoopEvent, Outcome, Task, Verdict } from '../../contract/event.ts'
import type { Ref } from '../../contract/values.ts'
import type { LoopState } from '../../kernel/state.ts'
import type { Tree } from '../../ports/snapshots.ts'
import { sha256 } from './sha256.ts'

/** What a delivery remembers of one story. */
export type StoryMemo = {
  readonly status: 'open' | 'done' | 'failed' | 'blocked'
  /** Attempts that counted, over all openings, and the number of the last one. */
  readonly attempts: number
  readonly lastAttempt: number
  /** Of this opening: attempts that counted, of these those whose agent failed, and those that ran out of time. */
  readonly tries: number
  readonly exits: number
  readonly timeouts: number
  /** How the work tree was and what its commands said before its first attempt. */
  readonly base: Tree | null
  readonly before: 'red' | 'green' | null
  /** The commit that it began on; null where a person has called again since, and takes things as they are. */
  readonly head: string | null
  /** The tree that was verified. */
  readonly tree: Tree | null
  readonly verification: 'passed' | 'failed' | 'not_run'
  readonly evidence: Evidence | null
  /** How often it came out green without having been red and without a change. */
  readonly unproven: number
  readonly reason: Reason | null
  readonly because: string | null
  readonly tampering: readonly Tampering[]
  /** A person said no to what the last attempt did to the checks. */
  readonly refused: boolean
  /** What the next attempt is told of the last one, and of those before it a line each. */
  readonly critique: Ref | null
  readonly earlier: readonly string[]
  readonly kept: boolean
  readonly commit: string | null
  /** It was given up, and what it left in the work tree is kept aside. */
  readonly away: boolean
}

export type DeliveryMemo = {
  /** Of the plan that it goes by now. */
  readonly plan: string
  readonly stories: Readonly<Record<string, StoryMemo>>
  readonly runVerification: 'passed' | 'failed' | 'not_run'
  /** The last tree on which all commands of `mark` were green: they need not run again on it. */
  readonly green: { readonly tree: Tree; readonly mark: string } | null
  /** What stood in the way of a chore or of the run verification. */
  readonly trouble: string | null
  /** What was changed when going on with the run. */
  readonly terms: Amendment | null
}

export type Amendment = {
  readonly plan?: string
  readonly agent?: string
  readonly tampering?: DeliveryPolicy['tampering']
  readonly runCommands?: number
}

const newStory: StoryMemo = {
  status: 'open',
  attempts: 0,
  lastAttempt: 0,
  tries: 0,
  exits: 0,
  timeouts: 0,
  base: null,
  before: null,
  head: null,
  tree: null,
  verification: 'not_run',
  evidence: null,
  unproven: 0,
  reason: null,
  because: null,
  tampering: [],
  refused: false,
  critique: null,
  earlier: [],
  kept: false,
  commit: null,
  away: false,
}

export const emptyMemo = (plan: string): DeliveryMemo => ({
  plan,
  stories: {},
  runVerification: 'not_run',
  green: null,
  trouble: null,
  terms: null,
})

/** Which work a task is, and of which story. */
export type Job = { readonly do: 'story' | 'baseline' | 'keep' | 'put-away' | 'verify-run'; readonly story: string }
export const jobOf = (task: Task | undefined): Job =>
  task?.kind === 'chore' ? (task.data as Job) : { do: 'story', story: task?.id ?? '' }

/** What attempts tell beside their status. Everything the agent says of itself is a hint. */
export type Told = {
  readonly fault?: 'limit' | 'provider' | 'login' | 'repository'
  readonly promise?: string
  /** What the agent says would unblock it. */
  readonly plea?: string
  readonly changed?: boolean
  /** The tree before and after the agent. */
  readonly before?: Tree
  readonly tree?: Tree
  readonly tampering?: readonly Tampering[]
  readonly diff?: Ref
  /** Of a baseline. */
  readonly was?: 'red' | 'green'
  readonly head?: string | null
  readonly mark?: string
  readonly commit?: string | null
  /** The story is none of the plan any more. */
  readonly stale?: true
}
export const toldBy = (outcome: Outcome | undefined): Told => (outcome?.data ?? {}) as Told

/** What a verdict says beside its status. */
export type Judged = {
  readonly by?: 'agent' | 'time' | 'command' | 'tampering' | 'evidence' | 'unkept' | 'stale'
  readonly command?: number
  readonly evidence?: Evidence
  readonly tree?: Tree
  readonly mark?: string
  readonly hopeless?: true
  readonly blocked?: true
  /** What was touched while it was verified. */
  readonly tampering?: readonly Tampering[]
}
export const judgedBy = (verdict: Verdict | undefined): Judged => (verdict?.data ?? {}) as Judged

/** Names a list of commands. */
export const markOf = (commands: readonly string[]): string => sha256(JSON.stringify(commands)).slice(0, 16)

export const storyOf = (memo: DeliveryMemo, id: string): StoryMemo => memo.stories[id] ?? newStory

const mostTamperings = 20
const mostEarlier = 10

export const foldDelivery =
  (plans: ReadonlyMap<string, Plan>) =>
  (memo: DeliveryMemo, event: LoopEvent, before: LoopState): DeliveryMemo => {
    switch (event.type) {
      case 'attempt-ended':
        return attempted(memo, event.outcome, before)
      case 'verdict-reached':
        return judged(memo, event.verdict, before)
      case 'decision-made':
        return event.decision.do === 'settle' ? settled(memo, event.decision.as, event.by, before) : memo
      case 'run-reopened':
        return reopened(memo)
      case 'note-received': {
        const { note } = event
        if (note.say === 'answer' && note.choice === 'reject' && before.task) {
          return withStory(memo, before.task.id, { refused: true })
        }
        return note.say === 'amend' ? amended(memo, note.terms as Amendment, plans) : memo
      }
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

function withStory(memo: DeliveryMemo, id: string, change: Partial<StoryMemo>): DeliveryMemo {
  return { ...memo, stories: { ...memo.stories, [id]: { ...storyOf(memo, id), ...change } } }
}

function attempted(memo: DeliveryMemo, outcome: Outcome, before: LoopState): DeliveryMemo {
  const job = jobOf(before.task)
  const told = toldBy(outcome)
  const ok = outcome.status === 'ok'
  const trouble = ok ? null : (outcome.detail ?? outcome.status)
  switch (job.do) {
    case 'baseline':
      if (!ok) return { ...memo, trouble }
      return withStory({ ...memo, trouble }, job.story, {
        base: told.tree ?? null,
        before: told.was ?? 'red',
        head: told.head ?? null,
      })
    case 'keep':
      if (!ok) return { ...memo, trouble }
      return withStory({ ...memo, trouble }, job.story, { kept: true, commit: told.commit ?? null })
    case 'put-away':
      if (!ok) return { ...memo, trouble }
      // Whoever tries it again begins on other ground.
      return withStory({ ...memo, trouble }, job.story, { away: true, base: null, before: null })
    case 'verify-run':
      if (outcome.status === 'interrupted' || outcome.status === 'unavailable') return memo
      return { ...memo, trouble, runVerification: ok ? 'passed' : 'failed' }
    case 'story': {
      const burned = ok || outcome.status === 'failed' || outcome.status === 'timed-out'
      const story = storyOf(memo, job.story)
      const lastAttempt = before.attempt
      if (!burned || told.stale) return withStory(memo, job.story, { lastAttempt })
      return withStory(memo, job.story, {
        lastAttempt,
        attempts: story.attempts + 1,
        tries: story.tries + 1,
        exits: story.exits + (outcome.status === 'failed' ? 1 : 0),
        timeouts: story.timeouts + (outcome.status === 'timed-out' ? 1 : 0),
        refused: false,
        tampering: named(story.tampering, told.tampering ?? []),
      })
    }
  }
}

/** What is still as it was touched before is named once, by the last attempt that has it. */
function named(before: readonly Tampering[], now: readonly Tampering[]): readonly Tampering[] {
  const again = (one: Tampering): boolean => now.some(({ kind, path }) => kind === one.kind && path === one.path)
  return [...before.filter((one) => !again(one)), ...now].slice(-mostTamperings)
}

function judged(memo: DeliveryMemo, verdict: Verdict, before: LoopState): DeliveryMemo {
  const job = jobOf(before.task)
  if (job.do !== 'story' || verdict.status === 'unavailable') return memo
  const story = storyOf(memo, job.story)
  const { evidence = null, tree = null, mark, tampering: touched = [] } = judgedBy(verdict)
  const tampering = named(story.tampering, touched)
  const unproven = story.unproven + (evidence === 'unproven' ? 1 : 0)
  if (verdict.status === 'passed') {
    const passed = {
      verification: 'passed',
      evidence,
      tree,
      unproven,
      tampering,
      critique: verdict.evidence ?? null,
    } as const
    const green = tree && mark ? { tree, mark } : memo.green
    return withStory({ ...memo, green }, job.story, passed)
  }
  const line = `attempt ${before.attempt}: ${verdict.detail ?? 'failed'}`
  return withStory(memo, job.story, {
    verification: 'failed',
    unproven,
    tampering,
    because: verdict.detail ?? null,
    critique: verdict.evidence ?? null,
    earlier: [...story.earlier, line].slice(-mostEarlier),
  })
}

type Ended = 'done' | 'failed' | 'blocked' | 'interrupted'

function settled(memo: DeliveryMemo, as: Ended, by: string, before: LoopState): DeliveryMemo {
  const job = jobOf(before.task)
  if (job.do !== 'story' || as === 'interrupted') return memo
  const story = storyOf(memo, job.story)
  if (as === 'done') {
    const because = before.verdict?.detail ?? null
    return withStory(memo, job.story, { status: as, reason: null, because, critique: null })
  }
  const reason = as === 'blocked' ? 'blocked_dependency' : failedBy(story, by, before)
  return withStory(memo, job.story, { status: as, reason, because: becauseOf(story, reason, before.outcome) })
}

/** Where the agent itself has failed each time, red commands only follow from that. */
function becauseOf({ because }: StoryMemo, reason: Reason, outcome: Outcome | undefined): string | null {
  const detail = outcome?.detail
  if (reason === 'agent_exit_nonzero') return `the agent itself failed every time, at last with: ${detail}`
  return because ?? detail ?? null
}

/** A story whose agent never got as far as a verdict of its own has not been tried in vain: it may go well later. */
function failedBy({ tries, exits, timeouts }: StoryMemo, by: string, { verdict }: LoopState): Reason {
  if (by === 'policy' && judgedBy(verdict).hopeless) return 'story_verification_failed'
  const everyOne = tries > 0 && exits + timeouts === tries
  if (by !== 'attemptsPerRun' && everyOne) return timeouts === tries ? 'agent_timeout' : 'agent_exit_nonzero'
  return 'attempt_budget_exhausted'
}

/** Unfinished stories get their allowances anew; numbers and totals go on. */
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
  } as const
  const stories = Object.entries(memo.stories).map(([id, story]) => [
    id,
    story.status === 'done' ? { ...story, head: null } : { ...story, ...again, head: null },
  ])
  return { ...memo, stories: Object.fromEntries(stories), runVerification: 'not_run', trouble: null }
}

/** Under another plan a story that is the same work stays done, whatever it is called now; numbers of attempts go on. */
function amended(memo: DeliveryMemo, terms: Amendment, plans: ReadonlyMap<string, Plan>): DeliveryMemo {
  const { plan } = terms
  const chosen = { ...memo, terms: { ...memo.terms, ...terms } }
  const [from, to] = [plans.get(memo.plan), plan === undefined ? undefined : plans.get(plan)]
  if (plan === undefined || plan === memo.plan || !from || !to) return chosen
  const done = new Map(
    from.stories.flatMap(({ id, sha256 }) => {
      const story = storyOf(memo, id)
      return story.status === 'done' ? [[sha256, story]] : []
    }),
  )
  const stories = to.stories.map(({ id, sha256 }) => {
    const { lastAttempt, attempts } = storyOf(memo, id)
    return [id, done.get(sha256) ?? { ...newStory, lastAttempt, attempts }]
  })
  return { ...chosen, plan, stories: Object.fromEntries(stories), runVerification: 'not_run' }
}
