import type { Ref } from '../../../contract/values.ts'
import { sha256 } from '../../../judging/sha256.ts'
import type { Evidence, Reason, Tampering } from '../contract/result.ts'
import type { Amendment, Tree } from './event-data.ts'

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
  /** How often the plan was replaced by another one. */
  readonly replanned: number
  readonly stories: Readonly<Record<string, StoryMemo>>
  readonly runVerification: 'passed' | 'failed' | 'not_run'
  /** The last tree on which all commands of `mark` were green: they need not run again on it. */
  readonly green: { readonly tree: Tree; readonly mark: string } | null
  /** What stood in the way of a chore or of the run verification. */
  readonly trouble: string | null
  /** What was changed when going on with the run. */
  readonly terms: Amendment | null
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
  replanned: 0,
  stories: {},
  runVerification: 'not_run',
  green: null,
  trouble: null,
  terms: null,
})

/** Names a list of commands. */
export const fingerprintCommands = (commands: readonly string[]): string =>
  sha256(JSON.stringify(commands)).slice(0, 16)

export const findStoryMemo = (memo: DeliveryMemo, id: string): StoryMemo => memo.stories[id] ?? newStory
