import { resolve } from 'node:path'
import { estimateTokens } from '../../../adapters/tokens/estimate.ts'
import type { ProcedureRun } from '../../../contract/request.ts'
import { composePrompt } from '../core/prompt.ts'
import { readPromptFile } from './prompt-file.ts'

export type DryRun = {
  readonly procedure: string
  readonly argv: readonly string[]
  /** An estimate. */
  readonly tokens: number
  readonly budget: number | null
  readonly gates: readonly string[]
  readonly prompt: string
}

/** What an iteration would be given. Starts nothing and writes nothing. */
export async function dryRun({ name, workspace, procedure }: ProcedureRun): Promise<DryRun> {
  const prompt = await composePrompt(procedure, (path) => readPromptFile(resolve(workspace, path)))
  return {
    procedure: name,
    argv: procedure.agent.argv,
    tokens: estimateTokens(prompt),
    budget: procedure.tokenBudget ?? null,
    gates: procedure.gates,
    prompt,
  }
}
