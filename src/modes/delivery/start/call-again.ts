import { isDeepStrictEqual } from 'node:util'
import { PawlError } from '../../../contract/exit.ts'
import type { Caps, Ref } from '../../../contract/values.ts'
import type { View } from '../../../kernel/policy.ts'
import type { LoopState } from '../../../kernel/state.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import { chooseEndExit } from '../../../run/errors.ts'
import type { Machine } from '../../../run/machine.ts'
import { currentPerson, formatRequest } from '../../../run/new-run.ts'
import { foldRun } from '../../../run/read-run.ts'
import type { RunInput } from '../contract/input.ts'
import type { DeliveryRequest } from '../contract/request.ts'
import type { Amendment } from '../core/event-data.ts'
import type { DeliveryMemo } from '../core/memo.ts'
import { deliveryReasons } from '../core/reasons.ts'
import { findRemoved } from '../work/removed.ts'
import { DeliveryError } from './input/contract-error.ts'
import { currentPlan, deliveryReader, loadPlans, openDelivery } from './open-delivery.ts'
import { addPlan, buildCaps, type DeliveryEnvelope, type UnplannedEnvelope } from './request.ts'

/**
 * How an existing run continues. Without `reopen` its result stays as it is, or its owner carries on. `replace`: it has made
 * no attempt yet, so a new run with the new values takes its place.
 */
export type CalledAgain = { readonly reopen?: { readonly caps: Caps }; readonly replace?: true }

/** `insist`: a person asked for it. `held`: this process already holds the run. */
export type Calling = { readonly insist?: boolean; readonly held?: boolean }

/**
 * Handles a second call for the same run. After success, or a failure that would repeat, the result stays the same.
 * Otherwise the run is reopened: its clock and the attempts of unfinished stories start over. Only a run that has ended
 * accepts a changed input.
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
    const hint = 'Use another out-dir: each run needs its own.'
    throw new DeliveryError('plan_generation_failed', `${address} contains another run, ${id}`, {
      hint,
      pointer: '/run_id',
    })
  }
  const { envelope, request } = run.current
  if (envelope.workspace !== asked.workspace) {
    const hint = 'Use another run_id and out-dir for this repository.'
    const what = `${address} contains the run ${id} for another repository, ${envelope.workspace}`
    throw new DeliveryError('plan_generation_failed', what, { hint, pointer: '/repo_path' })
  }
  if (!held && (await stored.owner())) return {}
  const wanted = addPlan(asked, await savePlan(stored, planText))
  const { firm, agent, limits } = changesBetween(request, wanted.with)
  const plans = await loadPlans(run)
  const view = await foldRun(deliveryReader, run, plans)
  const { ended } = view.state
  // Finished work stays finished, unless a new plan asks for more, new commands have yet to pass or its commits are gone.
  const asksForMore = firm.some((key) => key === 'plan' || key === 'verification')
  if (ended?.ending === 'completed' && !asksForMore) {
    const { stories } = currentPlan(plans, view)
    const snapshots = request.commit && (await machine.git.openSnapshots(envelope.workspace, [address]))
    if (!snapshots || (await findRemoved(snapshots, { run: id, memo: view.memo, stories })).length === 0) return {}
  }
  if (!ended) {
    if (firm.length && insist && hasNoAttempts(view)) return { replace: true }
    if (firm.length) throw stillOpen(id, firm, insist)
    if (agent) await amend(stored, wanted)
    await stored.post({ by: currentPerson(), say: 'raise', caps: freshCaps(wanted.with.input, view.state, limits) })
    return {}
  }
  const changed = firm.length > 0 || agent
  if (chooseEndExit(deliveryReasons, view) === 30 && !changed && !limits && !insist) return {}
  if (changed) await amend(stored, wanted)
  return { reopen: { caps: freshCaps(wanted.with.input, view.state, true) } }
}

async function savePlan({ content, entry }: StoredRun, planText: string): Promise<Ref> {
  try {
    const plan = await content.put('plan.json', planText)
    await content.flush()
    return plan
  } catch (error) {
    throw new PawlError(20, `cannot write to ${entry.address}: ${(error as Error).message}`, 'Nothing was started.')
  }
}

/** Saves the new request beside the old one and posts a note, so that the journal records it. */
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

/** Adds the run's limits to what it has already spent. Limits per story stay as given. */
export function freshCaps({ limits }: RunInput, state: LoopState, all: boolean): Caps {
  const caps = buildCaps(limits)
  const activeMs = state.activeMs + caps.activeMs!
  if (!all) return { activeMs }
  const attemptsPerRun = state.attempts + caps.attemptsPerRun!
  return { ...caps, activeMs, attemptsPerRun, waitMs: state.waitMs + caps.waitMs! }
}

type Changes = { readonly firm: readonly string[]; readonly agent: boolean; readonly limits: boolean }

function changesBetween(before: DeliveryRequest, after: DeliveryRequest): Changes {
  const differ = (key: keyof RunInput): boolean => !isSame(firmOf(before.input)[key], firmOf(after.input)[key])
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

/** Uncommitted files are a question of each call. */
const firmOf = (input: RunInput): RunInput => ({ ...input, policy: { ...input.policy, dirty: 'include' } })

/** Ignores key order and undefined values, because one side was read from a file. */
const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(asWritten(a), asWritten(b))
const asWritten = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

const hasNoAttempts = ({ memo }: View<DeliveryMemo>): boolean =>
  Object.values(memo.stories).every(({ lastAttempt }) => lastAttempt === 0)

function stillOpen(run: string, changed: readonly string[], insist: boolean): DeliveryError {
  const what = `the run ${run} is unfinished and was started with a different ${changed.join(', ')}`
  const other = insist ? 'start over: the same command with --fresh' : 'start a new run with another run_id and out-dir'
  const hint = `Use the original values, or ${other}.`
  return new DeliveryError('plan_generation_failed', what, { hint, pointer: `/${changed[0]}` })
}
