import type { Ref } from '../../../contract/values.ts'
import { sha256 } from '../../../judging/sha256.ts'
import type { Evidence, Reason, RedTests, Tampering } from '../contract/result.ts'
import type { Amendment, Tree, VerdictData } from './event-data.ts'

/** The state of one story, derived from the journal. */
export type StoryMemo = {
  readonly status: 'open' | 'done' | 'failed' | 'blocked'
  /** Attempts that counted, including those before a reopening, and the number of the last one. */
  readonly attempts: number
  readonly lastAttempt: number
  /** Since the last opening: attempts that counted, agent failures among them, and timeouts among them. */
  readonly tries: number
  readonly exits: number
  readonly timeouts: number
  /** The work tree and the result of the story's commands before its first attempt. */
  readonly base: Tree | null
  readonly before: 'red' | 'green' | null
  /** Which of the commands failed then, what it printed, and how its single tests ended. */
  readonly failed: number | null
  readonly said: Ref | null
  readonly ids: Ref | null
  /** Files, or folders with a slash, that the commands change even before any work, such as reports. */
  readonly churn: readonly string[]
  /** The commit it started from. Null after a reopening, which accepts whatever commit is there. */
  readonly head: string | null
  /** The verified tree. */
  readonly tree: Tree | null
  readonly verification: 'passed' | 'failed' | 'not_run'
  readonly evidence: Evidence | null
  /** The place of its verification, and the other runs that were made. */
  readonly place: VerdictData['place'] | null
  readonly runs: NonNullable<VerdictData['runs']>
  /** Files that its commands changed before they passed. */
  readonly moved: readonly string[]
  /** How often its commands passed although they passed before and nothing changed. */
  readonly unproven: number
  readonly reason: Reason | null
  readonly because: string | null
  readonly tampering: readonly Tampering[]
  /** A person rejected the last attempt's changes to the checks. */
  readonly refused: boolean
  /** The critique of the last attempt, and one line for each attempt before it. */
  readonly critique: Ref | null
  readonly earlier: readonly string[]
  readonly kept: boolean
  readonly commit: string | null
  /** It was given up, and its changes were moved out of the work tree. */
  readonly away: boolean
  /** How often it was done before and then removed from the branch. */
  readonly removed: number
  /** How the last attempts failed without changing anything, and how many in a row failed like that. */
  readonly idle: { readonly how: string; readonly times: number }
}

export type DeliveryMemo = {
  /** Hash of the current plan. */
  readonly plan: string
  /** How often the plan was replaced. */
  readonly replanned: number
  readonly stories: Readonly<Record<string, StoryMemo>>
  readonly runVerification: 'passed' | 'failed' | 'not_run'
  /** The last tree on which all commands of `mark` passed: they need not run again on it. */
  readonly green: { readonly tree: Tree; readonly mark: string } | null
  /** Tests that no story has turned green so far. */
  readonly stillRed: RedTests | null
  /** The work tree as the run left it. Null while the run changes it, and if that is not known. */
  readonly left: Tree | null
  /** Why a chore or the run verification failed. */
  readonly trouble: string | null
  /** Terms changed when the run was resumed. */
  readonly terms: Amendment | null
  /** Whether the commits of finished stories were looked for since the run was last opened. */
  readonly checked: boolean
  /** The story whose undoing ended the run. */
  readonly undone: { readonly story: string; readonly by: string } | null
  /** A person accepted that several stories share a command that fails before any work. */
  readonly redAccepted: boolean
}

export const newStory: StoryMemo = {
  status: 'open',
  attempts: 0,
  lastAttempt: 0,
  tries: 0,
  exits: 0,
  timeouts: 0,
  base: null,
  before: null,
  failed: null,
  said: null,
  ids: null,
  churn: [],
  head: null,
  tree: null,
  verification: 'not_run',
  evidence: null,
  place: null,
  runs: [],
  moved: [],
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
  removed: 0,
  idle: { how: '', times: 0 },
}

export const emptyMemo = (plan: string): DeliveryMemo => ({
  plan,
  replanned: 0,
  stories: {},
  runVerification: 'not_run',
  green: null,
  stillRed: null,
  left: null,
  trouble: null,
  terms: null,
  checked: true,
  undone: null,
  redAccepted: false,
})

/** Identifies a list of commands. */
export const fingerprintCommands = (commands: readonly string[]): string =>
  sha256(JSON.stringify(commands)).slice(0, 16)

/**
 * The key of a story's commit. The same id is another story in a later plan, even if that plan was used before, and a story
 * that was removed from the branch is committed anew.
 */
export function buildStoryKey(run: string, id: string, memo: DeliveryMemo): string {
  const { removed } = findStoryMemo(memo, id)
  const plan = memo.replanned === 0 ? '' : `-plan-${memo.replanned + 1}`
  return `${run}/${id}${plan}${removed === 0 ? '' : `-again-${removed}`}`
}

export const findStoryMemo = (memo: DeliveryMemo, id: string): StoryMemo => memo.stories[id] ?? newStory
