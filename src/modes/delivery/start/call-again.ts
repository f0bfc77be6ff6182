import { isDeepStrictEqual } from 'node:util'
import { PawlError } from '../../../contract/exit.ts'
import type { Caps, Ref } from '../../../contract/values.ts'
import type { LoopState } from '../../../kernel/state.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import { chooseEndExit } from '../../../run/errors.ts'
import type { Machine } from '../../../run/machine.ts'
import { currentPerson, formatRequest } from '../../../run/new-run.ts'
import { foldRun } from '../../../run/read-run.ts'
import type { RunInput } from '../contract/input.ts'
import type { DeliveryRequest } from '../contract/request.ts'
import type { Amendment } from '../core/event-data.ts'
import { deliveryReasons } from '../core/reasons.ts'
import { DeliveryError } from './input/contract-error.ts'
import { deliveryReader, loadPlans, openDelivery } from './open-delivery.ts'
import { addPlan, buildCaps, type DeliveryEnvelope, type UnplannedEnvelope } from './request.ts'

/** How the run goes on that was called for again. */
export type CalledAgain = { readonly reopen?: { readonly caps: Caps } }

/** `insist`: a person asks for it. `held`: the run is ours already. */
export type Calling = { readonly insist?: boolean; readonly held?: boolean }

/**
 * After success, and after what cannot change by itself, the same result; otherwise the run is reopened: its clock and
 * the attempts of unfinished stories start anew. A changed input is taken up only by a run that has ended.
 */
export async function callAgain(
  machine: Machine,
  stored: StoredRun,
  asked: UnplannedEnvelope,
  planText: string,
  { insist = false, held = false }: Calling,
): Promise<CalledAgain> {
  const { address, id } = stored.entry
  const run = await openDelivery(machine, stored)
  if (!run || id !== asked.run_id) {
    const hint = 'A run keeps its out-dir for itself: take another one.'
    throw new DeliveryError('plan_generation_failed', `${address} holds the run ${id}`, { hint, pointer: '/run_id' })
  }
  const { envelope, request } = run.current
  if (envelope.workspace !== asked.workspace) {
    const hint = 'What is done there is not done here: take another run_id and out-dir.'
    const what = `${address} holds the run ${id} on another repository, ${envelope.workspace}`
    throw new DeliveryError('plan_generation_failed', what, { hint, pointer: '/repo_path' })
  }
  if (!held && (await stored.owner())) return {}
  const wanted = addPlan(asked, await keepPlan(stored, planText))
  const { firm, agent, limits } = changesBetween(request, wanted.with)
  const view = await foldRun(deliveryReader, run, await loadPlans(run))
  const { ended } = view.state
  // What is done stays done, but another plan may ask for more, and other commands have said nothing yet.
  if (ended?.ending === 'completed' && !firm.some((key) => key === 'plan' || key === 'verification')) return {}
  if (!ended) {
    if (firm.length) throw stillOpen(id, firm)
    if (agent) await amend(stored, wanted)
    await stored.post({ by: currentPerson(), say: 'raise', caps: freshCaps(wanted.with.input, view.state, limits) })
    return {}
  }
  const changed = firm.length > 0 || agent
  if (chooseEndExit(deliveryReasons, view) === 30 && !changed && !limits && !insist) return {}
  if (changed) await amend(stored, wanted)
  return { reopen: { caps: freshCaps(wanted.with.input, view.state, true) } }
}

async function keepPlan({ content, entry }: StoredRun, planText: string): Promise<Ref> {
  try {
    const plan = await content.put('plan.json', planText)
    await content.flush()
    return plan
  } catch (error) {
    throw new PawlError(20, `cannot write to ${entry.address}: ${(error as Error).message}`, 'Nothing was started.')
  }
}

/** The new request beside the old one, and a note that the journal gets to know of it by. */
async function amend(stored: StoredRun, wanted: DeliveryEnvelope): Promise<void> {
  const request = await stored.amend(formatRequest(wanted))
  await stored.post({ by: currentPerson(), say: 'amend', request, terms: buildAmendment(wanted.with) })
}

const buildAmendment = ({ plan, agent, input }: DeliveryRequest) =>
  ({
    plan: plan.sha256,
    agent: agent.name,
    tampering: input.policy.tampering,
    runCommands: input.verification.run_commands.length,
  }) satisfies Amendment

/** The run's own bounds once more on top of what it has spent; those of a story as they are now. */
function freshCaps({ limits }: RunInput, state: LoopState, all: boolean): Caps {
  const caps = buildCaps(limits)
  const activeMs = state.activeMs + caps.activeMs!
  if (!all) return { activeMs }
  const attemptsPerRun = state.attempts + caps.attemptsPerRun!
  return { ...caps, activeMs, attemptsPerRun, waitMs: state.waitMs + caps.waitMs! }
}

type Changes = { readonly firm: readonly string[]; readonly agent: boolean; readonly limits: boolean }

function changesBetween(before: DeliveryRequest, after: DeliveryRequest): Changes {
  const differ = (key: keyof RunInput): boolean => !isSame(before.input[key], after.input[key])
  const keys = [
    'repo_path',
    'prd_path',
    'base_branch',
    'working_branch',
    'verification',
    'policy',
    'env',
    'sandbox',
  ] as const
  const plan = before.plan.sha256 === after.plan.sha256 ? [] : ['plan']
  return {
    firm: [...plan, ...keys.filter(differ)],
    agent: !isSame(before.agent, after.agent),
    limits: differ('limits'),
  }
}

/** One of them was read from a file, so neither the order of keys nor a key without a value makes a difference. */
const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(asWritten(a), asWritten(b))
const asWritten = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

function stillOpen(run: string, changed: readonly string[]): DeliveryError {
  const what = `the run ${run} is unfinished and was started with another ${changed.join(', ')}`
  const hint = 'Give it what it was started with, or start anew with another run_id and out-dir.'
  return new DeliveryError('plan_generation_failed', what, { hint, pointer: `/${changed[0]}` })
}
