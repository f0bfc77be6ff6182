import type { Ref } from '../../../contract/values.ts'

// What the events of a refinement carry as `data`: ids, numbers and Refs. What people and models wrote is content.

export const roles = ['decompose', 'generate', 'judge', 'calibrate', 'single-shot'] as const
export type Role = (typeof roles)[number]

/** Of a call. `bytes` is what left for the provider; `remote`: it left this machine. */
export type CallTold = {
  readonly role: Role
  readonly remote: boolean
  readonly bytes: number
  readonly fault?: string
  readonly cut?: true
  /** Of a judgement that measures the judge: which text, what it gave. */
  readonly raw?: number
}

/** Of the chore that finds the phases. */
export type PhasesTold = { readonly phases: number; readonly source: 'model' | 'fallback'; readonly why?: string }

/** Of an attempt at a phase. `iteration` counts over all phases. */
export type AttemptTold = {
  readonly iteration: number
  readonly prunedTokens: number
  /** How many words of people it was told. */
  readonly feedback: number
  /** Tells a text that was there before, without telling the text. */
  readonly mark?: string
  readonly fault?: string
  /** It was not made: it would have gone past a bound, the one that calls for a stronger model or the last one. */
  readonly crossing?: 'soft' | 'hard'
  readonly needsTokens?: number
  readonly cut?: true
}

export type Band = 'pass' | 'retry' | 'escalate'

/** An issue that the judge found. Its words are in the ledger. */
export type IssueMark = {
  readonly id: string
  readonly state: 'open' | 'fixed'
  readonly severity: 'major' | 'minor'
  /** How often it came back after it was fixed. */
  readonly reopened: number
  /** Could have been said before and was not: it does not block by itself. */
  readonly late?: true
}

/** How a judge is read: what it gives for texts of known worth, turned round. */
export type Calibration = {
  readonly id: string
  readonly intercept: number
  readonly slope: number
  /** How far off a single judgement is, as a standard deviation. */
  readonly sigma: number
  readonly anchors: number
}

/** Of a verdict that was reached. */
export type ScoreTold = {
  readonly band: Band
  readonly raw: number
  /** The standard error of the score. */
  readonly spread: number
  readonly confidence: number
  readonly samples: number
  readonly dimensions: Readonly<Record<string, number>>
  readonly evaluator: string
  readonly calibration: Calibration | null
  readonly judge: string
  readonly selfJudged: boolean
  readonly vetoes: readonly string[]
  readonly unverified: number
  readonly issues: readonly IssueMark[]
  /** Texts of the issues. */
  readonly ledger: Ref | null
  /** It is the best of its phase so far. */
  readonly better: boolean
}

/** Of a verdict that was not: a judge that cannot be reached, or that answers what nobody can read. */
export type NoScoreTold = { readonly why: 'down' | 'unreadable' | 'budget' | 'no-text'; readonly judge: string }
