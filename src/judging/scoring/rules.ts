/** What a mode decides about judging: how good is good enough, on which scale, and how sure the score must be. */
export type ScoringRules = {
  /** From here on a text passes. */
  readonly stopScore: number
  /** Below this a stronger model is wanted. */
  readonly escalateScore: number
  /** `point`: the score as it is. `interval`: the score and how sure it is. */
  readonly decidesBy: 'point' | 'interval'
  /** `percent`: 0 to 100 for each dimension. `anchored`: 0 to 5 in halves, evidence first. */
  readonly scale: 'percent' | 'anchored'
  /** Judgements of one text at most. */
  readonly samples: number
}
export type Scale = ScoringRules['scale']

/** Four times in five the true worth lies within that many standard errors of the score. */
export const within80 = 1.28
