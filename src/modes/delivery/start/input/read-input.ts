import { RunId, RunInput } from '../../contract/input.ts'
import { ContractError } from './contract-error.ts'
import { parseContract, readContractText } from './parse-contract.ts'

const contract = {
  schema: RunInput,
  maxMebibytes: 1,
  hint: (pawl: string) =>
    `See the schema: ${pawl} schema run-input. Create a template: ${pawl} plan PRD.md --print-input`,
}

export const readRunInput = (path: string): RunInput => parseRunInput(readContractText(path, contract), path)

/** Takes a path or a value. Both are checked against the same contract. */
export const loadRunInput = (given: string | object): RunInput =>
  typeof given === 'string' ? readRunInput(given) : parseRunInput(JSON.stringify(given), 'run input')

/** Returns the run id even if the rest of the input is invalid; `unknown` if there is none. */
export function readRunId(given: string | object): string {
  try {
    const { run_id } = (typeof given === 'string' ? JSON.parse(readContractText(given, contract)) : given) as {
      readonly run_id?: unknown
    }
    return RunId.safeParse(run_id).data ?? unknownRun
  } catch {
    return unknownRun
  }
}
const unknownRun = 'unknown'

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
