import { z } from 'zod'
import { loadSettings } from '../../../config/load-settings.ts'
import type { Settings } from '../../../config/settings.ts'
import { checkConfigTrust } from '../../../config/trust.ts'
import { checkWorkspaceFolders } from '../../../config/workspace-folders.ts'
import type { Envelope } from '../../../contract/envelope.ts'
import { PawlError } from '../../../contract/exit.ts'
import { formatOwnText } from '../../../contract/programs.ts'
import type { Block } from '../../../contract/show.ts'
import type { Caps } from '../../../contract/values.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import type { Agents, Machine } from '../../../run/machine.ts'
import { defineStart, type Started, type Starter } from '../../../run/mode.ts'
import { formatRequest } from '../../../run/new-run.ts'
import { formatAmount, formatCount, formatDuration } from '../../../show/format.ts'
import { dryRun } from './dry-run.ts'
import { clearStateFile, describeUnfinished, findEarlier } from './earlier-run.ts'
import { lockNameIfPossible } from './lock.ts'
import { checkProcedure, warnOfGoal } from './preflight.ts'
import { contextFromFlags, freezeProcedure, readProcedure } from './request.ts'

const Options = z.object({
  name: z.string(),
  /** Settings for this run, by any spelling of their keys. `context` is separate, because it adds to the config. */
  flags: z.record(z.string(), z.unknown()).default({}),
  /** Files or texts; files are relative to `cwd`. */
  context: z.array(z.string()).default([]),
  cwd: z.string(),
  /** Starts over even if an earlier run is unfinished. */
  fresh: z.boolean().default(false),
  dryRun: z.boolean().default(false),
  detach: z.boolean().default(false),
  /** Trusts the commands in the repository's config. */
  trust: z.boolean().default(false),
  allowUnknownCost: z.boolean().default(false),
})
type Options = z.infer<typeof Options>

/** Starts a configured procedure. All checks run before anything is written. */
export const start = defineStart({ options: Options, startsAgents: true, start: startProcedure })

async function startProcedure(machine: Machine, options: Options, starter: Starter): Promise<Started> {
  const { environment, agents } = machine
  const { name, fresh } = options
  checkWorkspaceFolders(environment.cwd, environment.folder)
  const settings = await loadSettings(machine, { flags: options.flags, procedure: name })
  for (const warning of settings.warnings) starter.tell(`warning: ${warning}`)
  const context = contextFromFlags(options.context, options.cwd)
  const draft = readProcedure(environment, settings, name, context)
  const goalWarning = warnOfGoal(draft)
  if (goalWarning) starter.tell(`warning: ${formatOwnText(goalWarning, environment)}`)
  if (options.dryRun) return dryRun(machine, settings, { name, draft }, starter)
  const frozen = freezeProcedure(machine, settings, name, draft)
  await checkProcedure(frozen, machine)
  const { allowUnknownCost: allowUnknown } = options
  const costWarning = checkCostBound(settings, frozen.request.agent.name, { agents, allowUnknown })
  if (costWarning) starter.tell(`warning: ${costWarning}`)
  await checkConfigTrust(environment, settings, options.trust)
  return options.detach
    ? detachProcedure(machine, name, fresh, starter)
    : createProcedure(machine, frozen.envelope, fresh, starter)
}

/** All checks and questions are done here; the detached process does the rest under its own lock. */
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
    const earlier = await handleEarlier(machine, name, fresh, starter)
    if (earlier) {
      await lock.release()
      return { is: 'resume', run: earlier }
    }
    const notice = await clearStateFile(machine, name, fresh)
    if (notice) starter.tell(notice)
    const run = await createRun(machine, envelope, onLost)
    starter.show([formatBounds(caps)])
    return { is: 'started', run, lock }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Asks about an unfinished run, or refuses if nobody can answer. Returns the run to resume. */
async function handleEarlier(
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

/** Seed 002: the loop runs even if its state cannot be saved. Then the run goes to a temporary folder, with a warning. */
async function createRun({ store }: Machine, envelope: Envelope, onLost: (text: string) => void): Promise<StoredRun> {
  const { run_id: id, mode, name, workspace, created } = envelope
  const entry = { id, mode, name, workspace, created }
  const freeze = async () => ({ request: formatRequest(envelope) })
  try {
    return await store.create({ entry, freeze, listed: true })
  } catch (error) {
    if (envelope.durability === 'strict') throw error
    const run = await store.create({ entry, freeze, listed: true, temporary: true })
    onLost(`${(error as Error).message}. The loop goes on; its state is in ${run.entry.address}`)
    return run
  }
}

/** Shows the limits before anything is spent. */
function formatBounds(caps: Caps): Block {
  const parts = [
    caps.tasks && formatCount(caps.tasks, 'iteration'),
    caps.costUsd && `$${caps.costUsd}`,
    caps.tokens && `${formatAmount(caps.tokens)} tokens`,
    caps.activeMs && formatDuration(caps.activeMs),
  ].filter(Boolean)
  const line = parts.length
    ? `Bounds: at most ${parts.join(', ')}.`
    : `Bounds: none but ${caps.failuresInARow} failures in a row. Press Ctrl-C to stop.`
  return { kind: 'text', lines: [[line]] }
}

/**
 * A cost limit works only if the agent reports its cost. Throws if the limit is a flag and cannot be enforced; returns a
 * warning if it comes from a file.
 */
function checkCostBound(
  settings: Settings,
  agent: string,
  { agents, allowUnknown }: { readonly agents: Pick<Agents, 'reportsCost'>; readonly allowUnknown: boolean },
): string | undefined {
  const { value, origin } = settings.effective('max_cost')
  const reports = agents.reportsCost(agent)
  if (value === undefined || reports || allowUnknown) return undefined
  const says = reports === undefined ? 'this agent may not report its cost' : `${agent} does not report its cost`
  if (origin.tier !== 'flag') return `${says}: max_cost (${origin.where}) may have no effect`
  const hint = 'Use --max-tokens, --max-time or -n instead, or add --allow-unknown-cost.'
  throw new PawlError(30, `${says}, so --max-cost ${value} cannot be enforced`, hint)
}
