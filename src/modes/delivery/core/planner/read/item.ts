import type { Id, Kind } from './ids.ts'

/** The position of a line: the headings and lines above it. */
export type Place = { readonly parent: Place | null; readonly heading: string; item: Item | null }

/** A dependency and its wording in the PRD. */
export type Need = {
  /** An id, or text that may be a title. */
  readonly on: Id | string
  readonly wording: string
  readonly line: number
  /** How explicit it is. An unknown id is an error in a field, and never an error in passing. */
  readonly certainty: 'field' | 'words' | 'passing'
}

/** A line of a PRD that asks for something. */
export type Item = {
  readonly kind: Kind
  /**
   * How it is written. A `mention` is a row with only an id, a `map` a row with only ids, which defines nothing, a `remark` a
   * criterion that starts with the id it is for.
   */
  readonly form: 'heading' | 'line' | 'row' | 'remark' | 'mention' | 'map'
  id: Id | null
  readonly title: string
  /** The complete text; equal to the title if that is all. */
  readonly text: string
  readonly line: number
  endLine: number
  readonly place: Place
  /** From `prd.json`: sorts before ids. */
  readonly priority: number
  readonly needs: Need[]
  /** Ids it implements: `[US1]`, `_Requirements: 1.1_`, `Covers:`. */
  readonly covers: Id[]
  /** Ids it only mentions. */
  readonly mentions: readonly Id[]
  readonly files: string[]
  /** Code below it. */
  readonly code: string[]
}

/** Why no plan could be made. `message` is one line for people, `code` is for programs. */
export type PlanProblem = {
  readonly code:
    | 'nothing-found'
    | 'cycle'
    | 'unknown-dependency'
    | 'duplicate-id'
    | 'unreadable-json'
    | 'too-big'
    | 'not-text'
  readonly message: string
  readonly hint?: string
  readonly line?: number
}

/** Thrown only inside the planner; `compilePlan` turns it into a value. */
export class PlanRefused extends Error {
  override readonly name = 'PlanRefused'
  readonly problem: PlanProblem
  constructor(problem: PlanProblem) {
    super(problem.message)
    this.problem = problem
  }
}
