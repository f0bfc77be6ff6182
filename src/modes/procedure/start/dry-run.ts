import { resolve } from 'node:path'
import { chooseAgent } from '../../../config/run-settings.ts'
import type { Settings } from '../../../config/settings.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Block } from '../../../contract/show.ts'
import type { Machine } from '../../../run/machine.ts'
import type { Started, Starter } from '../../../run/mode.ts'
import { formatAmount, quoteShell } from '../../../show/format.ts'
import { composePrompt } from '../core/prompt.ts'
import { checkDraft, checkInstalled } from './preflight.ts'
import { readPromptFile } from './prompt-file.ts'
import type { ProcedureDraft } from './request.ts'

type DryRun = {
  readonly procedure: string
  /** null if no agent is configured. */
  readonly argv: readonly string[] | null
  /** Why no run could start on this machine: the agent that is missing, and what to do. */
  readonly missing: string | null
  /** An estimate. */
  readonly tokens: number
  readonly budget: number | null
  readonly gates: readonly string[]
  readonly prompt: string
}

/** Shows the prompt of an iteration. Starts nothing, writes nothing, and needs no agent. */
export async function dryRun(
  machine: Machine,
  settings: Settings,
  { name, draft }: { readonly name: string; readonly draft: ProcedureDraft },
  { tell }: Pick<Starter, 'tell'>,
): Promise<Started> {
  const { cwd } = machine.environment
  checkDraft(draft, cwd)
  const prompt = await composePrompt(draft, (path) => readPromptFile(resolve(cwd, path)))
  const run: DryRun = {
    procedure: name,
    ...findAgent(machine, settings),
    tokens: machine.estimateTokens(prompt),
    budget: draft.tokenBudget ?? null,
    gates: draft.gates,
    prompt,
  }
  if (run.budget !== null && run.tokens > run.budget) {
    tell(`WARNING: Prompt exceeds token budget: ~${formatAmount(run.tokens)} > ${formatAmount(run.budget)}`)
  }
  return { is: 'shown', facts: { dry_run: run }, blocks: dryRunBlocks(run) }
}

/** An agent that is not configured or not installed is told; any other problem with it is an error of the configuration. */
function findAgent(machine: Machine, settings: Settings): Pick<DryRun, 'argv' | 'missing'> {
  let argv: DryRun['argv'] = null
  try {
    const agent = chooseAgent(settings, machine.agents.choose)
    argv = agent.argv
    checkInstalled(machine, machine.environment.cwd, agent)
    return { argv, missing: null }
  } catch (error) {
    if (!(error instanceof PawlError) || !['no_agent', 'no_such_program'].includes(error.code)) throw error
    return { argv, missing: `${error.message}. ${error.hintFor(machine.environment) ?? ''}` }
  }
}

/** The wording is fixed by seed 002. */
function dryRunBlocks({ procedure, argv, missing, tokens, budget, gates, prompt }: DryRun): Block[] {
  const lines = [
    `Procedure: ${procedure}`,
    ...(argv ? [`Would execute with: ${argv.map(quoteShell).join(' ')}`] : []),
    ...(missing === null ? [] : [`Missing: ${missing}`]),
    `Token count: ~${formatAmount(tokens)}${budget === null ? '' : ` / ${formatAmount(budget)} budget`}`,
    ...gates.map((gate) => `Gate: ${gate}`),
  ]
  return [
    { kind: 'text', lines: [...lines.map((line) => [`[DRY RUN] ${line}`]), ['']] },
    { kind: 'document', format: 'markdown', text: prompt.trimEnd() },
  ]
}
