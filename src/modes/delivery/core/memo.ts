import type { Ref } from '../../../contract/values.ts'
import { sha256 } from '../../../judging/sha256.ts'
import type { Evidence, Reason, Tampering } from '../contract/result.ts'
import type { Amendment, Tree } from './event-data.ts'

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
  /** The commit it started from. Null after a reopening, which accepts whatever commit is there. */
  readonly head: string | null
  /** The verified tree. */
  readonly tree: Tree | null
  readonly verification: 'passed' | 'failed' | 'not_run'
  readonly evidence: Evidence | null
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
  /** Why a chore or the run verification failed. */
  readonly trouble: string | null
  /** Terms changed when the run was resumed. */
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

/** Identifies a list of commands. */
export const fingerprintCommands = (commands: readonly string[]): string =>
  sha256(JSON.stringify(commands)).slice(0, 16)

export const findStoryMemo = (memo: DeliveryMemo, id: string): StoryMemo => memo.stories[id] ?? newStory
