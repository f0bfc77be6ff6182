import type { Plan } from '../../../../../src/modes/delivery/contract/plan.ts'
import { compilePlan, type PlanOutcome } from '../../../../../src/modes/delivery/core/planner/compile.ts'
import type { PlanProblem } from '../../../../../src/modes/delivery/core/planner/read/item.ts'

export const proof = { story_commands: ['npm test'], run_commands: [] }

export function planned(result: PlanOutcome): Plan {
  if (!result.ok) throw new Error(result.problem.message)
  return result.plan
}

export const plan = (text: string, file = 'prd.md'): Plan => planned(compilePlan(text, file, proof))

export function problem(text: string, file = 'prd.md'): PlanProblem {
  const result = compilePlan(text, file, proof)
  if (result.ok) throw new Error(`it has a plan: ${result.plan.stories.map(({ title }) => title).join(', ')}`)
  return result.problem
}

/** `S1 AC-02 <- S3` for each story: what most tests look at. */
export const order = (text: string, file = 'prd.md'): string[] =>
  plan(text, file).stories.map(({ id, source, depends_on }) =>
    [id, source.id ?? `line ${source.line}`, ...(depends_on.length > 0 ? ['<-', depends_on.join(' ')] : [])].join(' '),
  )
