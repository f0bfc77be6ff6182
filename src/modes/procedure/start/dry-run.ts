import { resolve } from 'node:path'
import type { Block } from '../../../contract/show.ts'
import type { Machine } from '../../../run/machine.ts'
import type { Started, Starter } from '../../../run/mode.ts'
import { amount } from '../../../show/format.ts'
import { quoted } from '../../../show/quoted.ts'
import { composePrompt } from '../core/prompt.ts'
import { readPromptFile } from './prompt-file.ts'
import type { FrozenProcedure } from './request.ts'

type DryRun = {
  readonly procedure: string
  readonly argv: readonly string[]
  /** An estimate. */
  readonly tokens: number
  readonly budget: number | null
  readonly gates: readonly string[]
  readonly prompt: string
}

/** What an iteration would be given. Starts nothing and writes nothing. */
export async function dryRun(
  { envelope: { name, workspace }, request }: FrozenProcedure,
  { estimateTokens }: Pick<Machine, 'estimateTokens'>,
  { tell }: Pick<Starter, 'tell'>,
): Promise<Started> {
  const prompt = await composePrompt(request, (path) => readPromptFile(resolve(workspace, path)))
  const run: DryRun = {
    procedure: name,
    argv: request.agent.argv,
    tokens: estimateTokens(prompt),
    budget: request.tokenBudget ?? null,
    gates: request.gates,
    prompt,
  }
  if (run.budget !== null && run.tokens > run.budget) {
    tell(`WARNING: Prompt exceeds token budget: ~${amount(run.tokens)} > ${amount(run.budget)}`)
  }
  return { is: 'shown', facts: { dry_run: run }, blocks: dryRunBlocks(run) }
}

/** In the words of seed 002. */
function dryRunBlocks({ procedure, argv, tokens, budget, gates, prompt }: DryRun): Block[] {
  const lines = [
    `Procedure: ${procedure}`,
    `Would execute with: ${argv.map(quoted).join(' ')}`,
    `Token count: ~${amount(tokens)}${budget === null ? '' : ` / ${amount(budget)} budget`}`,
    ...gates.map((gate) => `Gate: ${gate}`),
  ]
  return [
    { kind: 'text', lines: [...lines.map((line) => [`[DRY RUN] ${line}`]), ['']] },
    { kind: 'document', format: 'markdown', text: prompt.trimEnd() },
  ]
}
