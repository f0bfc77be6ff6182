import type { Envelope, FrozenAgent } from '../../../contract/envelope.ts'
import type { Caps, Ref } from '../../../contract/values.ts'
import type { NewRun, RunEntry, StoredRun } from '../../../ports/run-store.ts'
import type { Machine } from '../../../run/machine.ts'
import { formatRequest } from '../../../run/new-run.ts'
import type { Limits, RunInput } from '../contract/input.ts'
import type { DeliveryRequest } from '../contract/request.ts'

export type DeliveryEnvelope = Envelope & { readonly with: DeliveryRequest }
/** The plan is content of the run, so its ref exists only after the run is created. */
export type UnplannedEnvelope = Envelope & { readonly with: Omit<DeliveryRequest, 'plan'> }

export type NewDelivery = {
  /** The name that this program was called with. */
  readonly program: string
  readonly input: RunInput
  readonly agent: FrozenAgent
  /** Settings from a person beyond the run input. A control plane sets none. */
  readonly more?: Partial<Pick<Envelope, 'name' | 'clone' | 'caps' | 'origins' | 'notify' | 'bell'>> &
    Partial<Pick<DeliveryRequest, 'commit' | 'author' | 'silenceMs'>>
}

/** Turns a run input into a frozen request. The only place that knows both. */
export function createEnvelope({ program, input, agent, more = {} }: NewDelivery): UnplannedEnvelope {
  const { commit = false, author, silenceMs, caps, origins, name = chooseName(input), ...others } = more
  return {
    contract_version: 2,
    run_id: input.run_id,
    mode: 'delivery',
    name,
    workspace: input.repo_path,
    created: new Date().toISOString(),
    invoked_as: program,
    durability: 'strict',
    sandbox: input.sandbox,
    env: input.env,
    secrets: input.secrets,
    caps: { ...buildCaps(input.limits), ...caps },
    origins: { ...limitOrigins, ...origins },
    ...others,
    with: { input, agent, commit, author, silenceMs },
  }
}

export const addPlan = (envelope: UnplannedEnvelope, plan: Ref): DeliveryEnvelope => ({
  ...envelope,
  with: { ...envelope.with, plan },
})

const minute = 60_000
/** Not configurable: ends a run on a machine that keeps crashing or with a provider that stays away. */
const maxInterruptions = 20

export const buildCaps = (limits: Limits): Caps => ({
  attemptsPerTask: limits.story_max_attempts,
  attemptsPerRun: limits.run_max_attempts,
  taskMs: limits.story_timeout_minutes * minute,
  activeMs: limits.run_timeout_minutes * minute,
  waitMs: limits.wait_minutes * minute,
  interruptionsInARow: maxInterruptions,
})

const limitOrigins: Readonly<Record<string, string>> = {
  attemptsPerTask: 'limits.story_max_attempts',
  attemptsPerRun: 'limits.run_max_attempts',
  taskMs: 'limits.story_timeout_minutes',
  activeMs: 'limits.run_timeout_minutes',
  waitMs: 'limits.wait_minutes',
  interruptionsInARow: 'built-in',
}

/** Names the run after its PRD. A common name, such as prd.md, gets its folder in front. */
export function chooseName({ prd_path }: Pick<RunInput, 'prd_path'>): string {
  const [file = '', folder] = prd_path.split('/').reverse()
  const own = toSlug(file.replace(/\.[A-Za-z0-9]+$/, ''))
  const name = folder !== undefined && commonNames.has(own) ? `${toSlug(folder)}-${own}` : own
  return name.slice(0, 60).replace(/^-+|-+$/g, '') || 'delivery'
}

const commonNames = new Set(['prd', 'tasks', 'spec', 'specs', 'requirements', 'plan', 'readme', 'index', 'feature'])
const toSlug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')

/** Creates a run without an owner. */
export function createDelivery(
  { store }: Machine,
  envelope: UnplannedEnvelope,
  planText: string,
  where: Pick<NewRun, 'at' | 'listed'>,
): Promise<StoredRun> {
  const { run_id: id, mode, name, workspace, created } = envelope
  const freeze: NewRun['freeze'] = async (content) => {
    const plan = await content.put('plan.json', planText)
    return { request: formatRequest(addPlan(envelope, plan)) }
  }
  return store.create({ entry: { id, mode, name, workspace, created }, freeze, ...where })
}

/** Saves the uncommitted work that was there before the run under a ref of its own. */
export async function saveWorkTree({ git }: Machine, { id, workspace, address }: RunEntry): Promise<void> {
  const snapshots = await git.openSnapshots(workspace, [address])
  const tree = await snapshots.take()
  await snapshots.keep({ key: `${id}/before`, from: tree, to: tree, subject: 'The work tree before the run', body: '' })
}
