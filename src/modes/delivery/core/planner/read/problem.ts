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
