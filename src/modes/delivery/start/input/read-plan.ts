import { Plan } from '../../contract/plan.ts'
import { ContractError } from './contract-error.ts'
import { parseContract, readContractText } from './parse-contract.ts'
import { findGraphProblem } from './plan-graph.ts'

const contract = { schema: Plan, mostMebibytes: 16, hint: 'To plan again: pawl plan' }

/** The plan and its very text, since hashes are of bytes. */
export function readPlan(path: string): { readonly plan: Plan; readonly text: string } {
  const text = readContractText(path, contract)
  const plan = parseContract(text, path, contract)
  const problem = findGraphProblem(plan.stories)
  if (problem) throw new ContractError(path, problem, contract.hint)
  return { plan, text }
}
