import type { Progress } from '../../../contract/progress.ts'
import type { Rubric } from '../../../contract/rubric.ts'
import type { Calibration } from '../../../judging/scoring/score-data.ts'
import type { Artifacts } from '../../../ports/artifacts.ts'
import type { Model } from '../../../ports/model.ts'
import type { Brief, RefinementRequest } from '../contract/request.ts'

export type RefinementTools = {
  readonly request: RefinementRequest
  readonly modelOf: (rung: string) => Model
  readonly content: Pick<Artifacts, 'put' | 'get'>
  readonly brief: () => Promise<Brief>
  readonly rubric: () => Promise<Rubric>
  readonly estimateTokens: (text: string) => number
  /** Hash of a text, to recognize a repetition. */
  readonly markOf: (text: string) => string
  /** Monotonic milliseconds. */
  readonly elapsed: () => number
  /** Calibrations of all runs, by evaluator. */
  readonly calibrations: {
    readonly get: (id: string) => Promise<Calibration | undefined>
    readonly put: (id: string, calibration: Calibration) => Promise<void>
  }
  readonly onProgress?: ((progress: Progress) => void) | undefined
}
