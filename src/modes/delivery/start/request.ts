import type { Envelope, FrozenAgent } from '../../../contract/envelope.ts'
import type { Caps, Ref } from '../../../contract/values.ts'
import type { Limits, RunInput } from '../contract/input.ts'
import type { DeliveryRequest } from '../contract/request.ts'

export type DeliveryEnvelope = Envelope & { readonly with: DeliveryRequest }
/** Its plan is content of the run, so it is named once there is a run to keep it. */
export type UnplannedEnvelope = Envelope & { readonly with: Omit<DeliveryRequest, 'plan'> }

export type NewDelivery = {
  /** The name that this program was called by. */
  readonly program: string
  readonly input: RunInput
  readonly agent: FrozenAgent
  /** What a person sets beyond the run input; a control plane sets none of it. */
  readonly more?: Partial<Pick<Envelope, 'name' | 'caps' | 'origins' | 'notify' | 'bell'>> &
    Partial<Pick<DeliveryRequest, 'commit' | 'author' | 'silenceMs'>>
}

/** From a run input to a frozen request: the only place that sees both. */
export function newEnvelope({ program, input, agent, more = {} }: NewDelivery): UnplannedEnvelope {
  const { commit = false, author, silenceMs, caps, origins, name = nameOf(input), ...others } = more
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
    caps: { ...capsOf(input.limits), ...caps },
    origins: { ...limitOrigins, ...origins },
    ...others,
    with: { input, agent, commit, author, silenceMs },
  }
}

export const withPlan = (envelope: UnplannedEnvelope, plan: Ref): DeliveryEnvelope => ({
  ...envelope,
  with: { ...envelope.with, plan },
})

const minute = 60_000
/** Nobody sets this one: a machine that crashes again and again, or a provider that is gone, must end some time. */
const mostInterruptions = 20

export const capsOf = (limits: Limits): Caps => ({
  attemptsPerTask: limits.story_max_attempts,
  attemptsPerRun: limits.run_max_attempts,
  taskMs: limits.story_timeout_minutes * minute,
  activeMs: limits.run_timeout_minutes * minute,
  waitMs: limits.wait_minutes * minute,
  interruptionsInARow: mostInterruptions,
})

const limitOrigins: Readonly<Record<string, string>> = {
  attemptsPerTask: 'limits.story_max_attempts',
  attemptsPerRun: 'limits.run_max_attempts',
  taskMs: 'limits.story_timeout_minutes',
  activeMs: 'limits.run_timeout_minutes',
  waitMs: 'limits.wait_minutes',
  interruptionsInARow: 'built-in',
}

/** What people call the run: after its PRD, or after the folder of one that is called like all others. */
export function nameOf({ prd_path }: Pick<RunInput, 'prd_path'>): string {
  const [file = '', folder] = prd_path.split('/').reverse()
  const own = wordOf(file.replace(/\.[A-Za-z0-9]+$/, ''))
  const name = folder !== undefined && usualNames.has(own) ? `${wordOf(folder)}-${own}` : own
  return name.slice(0, 60).replace(/^-+|-+$/g, '') || 'delivery'
}

const usualNames = new Set(['prd', 'tasks', 'spec', 'specs', 'requirements', 'plan', 'readme', 'index', 'feature'])
const wordOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
