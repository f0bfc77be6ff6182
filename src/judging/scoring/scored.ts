import type { JsonSchema } from '../../ports/model.ts'
import type { IssueMark, Score } from './score-data.ts'

/** A question to the judge, and the answer that it asks for; code reads what comes. */
export type JudgeQuestion = { readonly system: string; readonly prompt: string; readonly schema: JsonSchema }

/** Makes one call and tells what came of it. `key` names the call within its attempt; one that is recorded is not made again. */
export type AskJudge = (
  question: JudgeQuestion,
  key: string,
  role: 'judge' | 'calibrate',
) => Promise<
  { readonly status: 'ok'; readonly text: string } | { readonly status: 'down' | 'budget'; readonly detail: string }
>

/** An issue with its words. */
export type Issue = IssueMark & { readonly quote: string; readonly problem: string; readonly raisedIn: number }

export type Scored =
  | (Omit<Score, 'issues'> & {
      readonly status: 'scored'
      readonly score: number
      /** All issues of the phase, open and fixed. */
      readonly issues: readonly Issue[]
    })
  | { readonly status: 'unavailable'; readonly why: 'down' | 'unreadable' | 'budget'; readonly detail: string }
