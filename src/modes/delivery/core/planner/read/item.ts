import type { Id, Kind } from './ids.ts'

/** Where a line stands: below which headings and lines. */
export type Place = { readonly parent: Place | null; readonly heading: string; item: Item | null }

/** Something that must be done before, and the words that say so. */
export type Need = {
  /** An id, or what may be a title. */
  readonly on: Id | string
  readonly said: string
  readonly line: number
  /** How surely it is meant. In a field any id that nobody knows is a mistake; in passing none is. */
  readonly told: 'field' | 'words' | 'passing'
}

/** One line of a PRD that asks for something. */
export type Item = {
  readonly kind: Kind
  /** How it is written. A mention is a row that only has its id, a remark a criterion that begins with the id it is for. */
  readonly form: 'heading' | 'line' | 'row' | 'remark' | 'mention'
  id: Id | null
  readonly title: string
  /** All it says; the same as the title where that is enough. */
  readonly text: string
  readonly line: number
  endLine: number
  readonly place: Place
  /** In `prd.json` a number decides before ids do. */
  readonly priority: number
  readonly needs: Need[]
  /** Ids of what it is work for: `[US1]`, `_Requirements: 1.1_`, `Covers:`. */
  readonly covers: Id[]
  /** Ids that it merely mentions. */
  readonly mentions: readonly Id[]
  readonly files: string[]
}

export type Found = { readonly format: string; readonly items: readonly Item[] }

/** Why there is no plan. `message` is one line for a person; `code` is for programs. */
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

/** Thrown inside the planner only; `compilePlan` turns it into a value. */
export class PlanRefused extends Error {
  override readonly name = 'PlanRefused'
  readonly problem: PlanProblem
  constructor(problem: PlanProblem) {
    super(problem.message)
    this.problem = problem
  }
}
