import { Plan } from '../../contract/plan.ts'
import { planText } from '../../core/planner/story.ts'
import { ContractError } from './contract-error.ts'
import { parseContract, readContractText } from './parse-contract.ts'
import { findGraphProblem } from './plan-graph.ts'

const contract = { schema: Plan, mostMebibytes: 16, hint: 'To plan again: pawl plan' }

export type PlanAndText = { readonly plan: Plan; readonly text: string }

/** The plan and its very text, since hashes are of bytes. */
export const readPlan = (path: string): PlanAndText => parsePlan(readContractText(path, contract), path)

/** From its file, or as a value of a program that has no file. Both are held to the same contract. */
export const takePlan = (given: string | object): PlanAndText =>
  typeof given === 'string' ? readPlan(given) : parsePlan(planText(given as Plan), 'plan')

function parsePlan(text: string, file: string): PlanAndText {
  const plan = parseContract(text, file, contract)
  const problem = findGraphProblem(plan.stories)
  if (problem) throw new ContractError(file, problem, contract.hint)
  return { plan, text }
}
