import { RunInput } from '../../contract/delivery/input.ts'
import { ContractError } from './contract-error.ts'
import { parseContract, readContractText } from './parse-contract.ts'

const contract = {
  schema: RunInput,
  mostMebibytes: 1,
  hint: 'What is allowed: pawl schema run-input. One to start from: pawl plan PRD.md --print-input',
}

export const readRunInput = (path: string): RunInput => parseRunInput(readContractText(path, contract), path)

export function parseRunInput(text: string, file: string): RunInput {
  const input = parseContract(text, file, contract)
  const { story_commands, run_commands, by_requirement = {} } = input.verification
  if ([story_commands, run_commands, ...Object.values(by_requirement)].some((commands) => commands.length > 0)) {
    return input
  }
  const allowed = 'at least one command in story_commands or run_commands'
  const problem = { pointer: '/verification', what: 'no verification configured', found: 'no command', allowed }
  throw new ContractError(file, problem, contract.hint)
}
