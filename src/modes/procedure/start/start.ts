import { resolve } from 'node:path'
import { z } from 'zod'
import { loadSettings } from '../../../config/load-settings.ts'
import type { Settings } from '../../../config/settings.ts'
import { checkConfigTrust } from '../../../config/trust.ts'
import type { Envelope } from '../../../contract/envelope.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Block } from '../../../contract/show.ts'
import type { Caps } from '../../../contract/values.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import type { Agents, Machine } from '../../../run/machine.ts'
import { defineStart, type Started, type Starter } from '../../../run/mode.ts'
import { formatRequest } from '../../../run/new-run.ts'
import { formatAmount, formatCount, formatDuration, quoteShell } from '../../../show/format.ts'
import { composePrompt } from '../core/prompt.ts'
import { clearStateFile, describeUnfinished, findEarlier } from './earlier-run.ts'
import { lockNameIfPossible } from './lock.ts'
import { checkProcedure } from './preflight.ts'
import { readPromptFile } from './prompt-file.ts'
import { contextFromFlags, type FrozenProcedure, freezeProcedure } from './request.ts'

const Options = z.object({
  name: z.string(),
  /** Settings for this one run, by any spelling of their keys. Context adds to the configuration's instead. */
  flags: z.record(z.string(), z.unknown()).default({}),
  /** Files or texts; files are named from `cwd`. */
  context: z.array(z.string()).default([]),
  cwd: z.string(),
  /** Begins anew over an unfinished run. */
  fresh: z.boolean().default(false),
  dryRun: z.boolean().default(false),
  detach: z.boolean().default(false),
  /** Trusts the commands that the repository's configuration names. */
  trust: z.boolean().default(false),
  allowUnknownCost: z.boolean().default(false),
})
type Options = z.infer<typeof Options>

/** A procedure that is configured here. Whatever can be refused is refused before anything is written. */
export const start = defineStart({ options: Options, startsAgents: true, start: startProcedure })

async function startProcedure(machine: Machine, options: Options, starter: Starter): Promise<Started> {
  const { environment, agents } = machine
  const { name, fresh } = options
  const settings = await loadSettings(machine, { flags: options.flags, procedure: name })
  for (const warning of settings.warnings) starter.tell(`warning: ${warning}`)
  const frozen = freezeProcedure(machine, settings, name, contextFromFlags(options.context, options.cwd))
  await checkProcedure(frozen, machine)
  const { allowUnknownCost: allowUnknown } = options
  const unheld = checkCostBound(settings, frozen.request.agent.name, { agents, allowUnknown })
  if (unheld) starter.tell(`warning: ${unheld}`)
  if (options.dryRun) return dryRun(frozen, machine, starter)
  await checkConfigTrust(environment, settings, options.trust)
  return options.detach
    ? detachProcedure(machine, name, fresh, starter)
    : createProcedure(machine, frozen.envelope, fresh, starter)
}

/** Whatever can be refused or asked has been by now; the process of its own does the rest, under its own lock. */
async function detachProcedure(machine: Machine, name: string, fresh: boolean, starter: Starter): Promise<Started> {
  const asked = fresh ? 'fresh' : await askEarlier(machine, name, starter)
  if (typeof asked === 'object') return { is: 'resume', run: asked.resume }
  const { cwd: workspace } = machine.environment
  return { is: 'detach', name, workspace, add: asked === 'fresh' ? ['--fresh'] : [] }
}

async function createProcedure(
  machine: Machine,
  envelope: Envelope,
  fresh: boolean,
  starter: Starter,
): Promise<Started> {
  const { name, caps } = envelope
  const onLost = (text: string): void => starter.tell(`${machine.environment.program}: ERROR: ${text}`)
  const lock = await lockNameIfPossible(machine, envelope, onLost)
  try {
    const earlier = await meetEarlier(machine, name, fresh, starter)
    if (earlier) {
      await lock.release()
      return { is: 'resume', run: earlier }
    }
    const notice = await clearStateFile(machine, name, fresh)
    if (notice) starter.tell(notice)
    const run = await createAnywhere(machine, envelope, onLost)
    starter.show([worstCase(caps)])
    return { is: 'started', run, lock }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Over an unfinished run a person is asked; without one it is refused. Returns the run that is to go on. */
async function meetEarlier(
  machine: Machine,
  name: string,
  fresh: boolean,
  starter: Starter,
): Promise<StoredRun | undefined> {
  const earlier = await findEarlier(machine, name)
  if (earlier.found === 'unreadable') {
    const { id, why } = earlier
    starter.tell(`WARNING: the run ${id} cannot be read and is left as it is (${why}). Starting fresh.`)
  }
  if (earlier.found !== 'unfinished') return undefined
  const asked = fresh ? 'fresh' : await askEarlier(machine, name, starter)
  if (typeof asked === 'object') return asked.resume
  await starter.end(earlier.run)
  return undefined
}

async function askEarlier(
  machine: Machine,
  name: string,
  { ask }: Starter,
): Promise<'nothing' | 'fresh' | { readonly resume: StoredRun }> {
  const earlier = await findEarlier(machine, name)
  if (earlier.found !== 'unfinished' || earlier.read.owner) return 'nothing'
  const refusal = describeUnfinished(machine, name, earlier.read)
  const answer = await ask(`${refusal.message}.`, ['resume', 'fresh'])
  if (answer === undefined) throw refusal
  return answer === 'resume' ? { resume: earlier.run } : answer
}

/** Seed 002 wants the loop to go on where its state cannot be kept: then it is kept among temporary files, and said. */
async function createAnywhere(
  { store }: Machine,
  envelope: Envelope,
  onLost: (text: string) => void,
): Promise<StoredRun> {
  const { run_id: id, mode, name, workspace, created } = envelope
  const entry = { id, mode, name, workspace, created }
  const freeze = async () => ({ request: formatRequest(envelope) })
  try {
    return await store.create({ entry, freeze, listed: true })
  } catch (error) {
    if (envelope.durability === 'strict') throw error
    const run = await store.create({ entry, freeze, listed: true, temporary: true })
    onLost(`${(error as Error).message}. The loop goes on; its state lies in ${run.entry.address}`)
    return run
  }
}

/** What it can cost at worst, before anything is spent. */
function worstCase(caps: Caps): Block {
  const parts = [
    caps.tasks && formatCount(caps.tasks, 'iteration'),
    caps.costUsd && `$${caps.costUsd}`,
    caps.tokens && `${formatAmount(caps.tokens)} tokens`,
    caps.activeMs && formatDuration(caps.activeMs),
  ].filter(Boolean)
  const line = parts.length
    ? `Bounds: at most ${parts.join(', ')}.`
    : `No bound holds but ${caps.failuresInARow} failures in a row; Ctrl-C ends it.`
  return { kind: 'text', lines: [[line]] }
}

/**
 * A bound on money holds only where the agent tells what it spends. One that a person asks for on the command line and
 * cannot get is refused; one from a file is told of. Returns that warning.
 */
function checkCostBound(
  settings: Settings,
  agent: string,
  { agents, allowUnknown }: { readonly agents: Pick<Agents, 'reportsCost'>; readonly allowUnknown: boolean },
): string | undefined {
  const { value, origin } = settings.effective('max_cost')
  const reports = agents.reportsCost(agent)
  if (value === undefined || reports || allowUnknown) return undefined
  const says = reports === undefined ? 'this agent may not tell' : `${agent} does not tell`
  if (origin.tier !== 'flag') return `${says} what it costs: max_cost (${origin.where}) may never fire`
  const hint = 'Bound it by --max-tokens, --max-time or -n instead, or add --allow-unknown-cost.'
  throw new PawlError(30, `${says} what it costs, so --max-cost ${value} cannot hold`, hint)
}

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
async function dryRun(
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
    tell(`WARNING: Prompt exceeds token budget: ~${formatAmount(run.tokens)} > ${formatAmount(run.budget)}`)
  }
  return { is: 'shown', facts: { dry_run: run }, blocks: dryRunBlocks(run) }
}

/** In the words of seed 002. */
function dryRunBlocks({ procedure, argv, tokens, budget, gates, prompt }: DryRun): Block[] {
  const lines = [
    `Procedure: ${procedure}`,
    `Would execute with: ${argv.map(quoteShell).join(' ')}`,
    `Token count: ~${formatAmount(tokens)}${budget === null ? '' : ` / ${formatAmount(budget)} budget`}`,
    ...gates.map((gate) => `Gate: ${gate}`),
  ]
  return [
    { kind: 'text', lines: [...lines.map((line) => [`[DRY RUN] ${line}`]), ['']] },
    { kind: 'document', format: 'markdown', text: prompt.trimEnd() },
  ]
}
