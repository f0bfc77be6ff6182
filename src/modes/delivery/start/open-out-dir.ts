import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { openArtifacts } from '../../../adapters/stores/files/artifacts.ts'
import { realDisk, writeWhole } from '../../../adapters/stores/files/disk.ts'
import { openInbox } from '../../../adapters/stores/files/inbox.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { DeliveryRun } from '../../../contract/request.ts'
import type { Caps, Ref } from '../../../contract/values.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { fileAmendment } from '../../../run/amend-run.ts'
import { person } from '../../../run/continue-run.ts'
import { endedExit } from '../../../run/exit-of.ts'
import { readFrozenRequest } from '../../../run/frozen-request.ts'
import { readRun } from '../../../run/read-run.ts'
import { layOut } from '../../../run/start-run.ts'
import type { RunInput } from '../contract/input.ts'
import { deliveryReasons } from '../core/reasons.ts'
import { DeliveryError } from './input/delivery-error.ts'
import { capsOf } from './request.ts'

/** Content of the run, and the file that the contract asks for. */
export async function keepPlan(dir: string, text: string): Promise<Ref> {
  try {
    mkdirSync(join(dir, 'artifacts'), { recursive: true, mode: 0o700 })
    const artifacts = openArtifacts(dir)
    const ref = await artifacts.put('plan.json', text)
    await artifacts.flush()
    return ref
  } catch (error) {
    throw new PawlError(20, `cannot write to ${dir}: ${(error as Error).message}`, 'Nothing was started.')
  }
}

export function hasSucceeded(dir: string, run: string): boolean {
  try {
    return readFrozenRequest(dir).current.run_id === run && readRun(dir).state.ended?.ending === 'completed'
  } catch {
    return false
  }
}

/** `created`: there was no run before. */
export type Opened = { readonly created?: true; readonly reopen?: { readonly caps: Caps } }

/** `insist`: a person asks for it. `owned`: the out-dir is ours already. */
type Calling = { readonly insist?: true; readonly owned?: true }

/** A new run in an out-dir, or what calling again means for the one that lies there. */
export async function openOutDir(dir: string, wanted: DeliveryRun, planText: string, how: Calling): Promise<Opened> {
  const known = existsSync(join(dir, 'request.json'))
  const opened = known ? await meetRun(dir, wanted, how) : createHere(dir, wanted)
  writeWhole(realDisk, join(dir, 'plan.json'), planText)
  return opened
}

function createHere(dir: string, wanted: DeliveryRun): Opened {
  if (existsSync(join(dir, 'progress.ndjson'))) {
    const hint = 'Take another out-dir: the journal there is kept as it is.'
    throw new DeliveryError('blocked_dependency', `${dir} holds the journal of a run, but not its request.json`, {
      hint,
    })
  }
  layOut(dir, wanted)
  return { created: true }
}

/**
 * After success, and after what cannot change by itself, the same result; otherwise the run is reopened: its clock and
 * the attempts of unfinished stories start anew. A changed input is taken up only by a run that has ended.
 */
async function meetRun(dir: string, wanted: DeliveryRun, { insist, owned }: Calling): Promise<Opened> {
  const { current } = readFrozenRequest(dir)
  if (current.mode !== 'delivery' || current.run_id !== wanted.run_id) {
    const hint = 'A run keeps its out-dir for itself: take another one.'
    throw new DeliveryError('plan_generation_failed', `${dir} holds the run ${current.run_id}`, {
      hint,
      pointer: '/run_id',
    })
  }
  if (!isSame(current.workspace, wanted.workspace)) {
    const hint = 'What is done there is not done here: take another run_id and out-dir.'
    const what = `${dir} holds the run ${current.run_id} on another repository, ${current.workspace}`
    throw new DeliveryError('plan_generation_failed', what, { hint, pointer: '/repo_path' })
  }
  const { state, owner } = readRun(dir)
  if (owner && !owned) return {}
  const { firm, agent, limits } = changesBetween(current, wanted)
  const { ended } = state
  // What is done stays done, but another plan may ask for more, and other commands have said nothing yet.
  if (ended?.ending === 'completed' && !firm.some((key) => key === 'plan' || key === 'verification')) return {}
  if (!ended) {
    if (firm.length) throw stillOpen(wanted.run_id, firm)
    if (agent) await fileAmendment(dir, wanted, termsOf(wanted))
    await openInbox(dir).post({ by: person(), say: 'raise', caps: freshCaps(wanted.delivery.input, state, limits) })
    return {}
  }
  const changed = firm.length > 0 || agent
  if (endedExit(deliveryReasons, state) === 30 && !changed && !limits && !insist) return {}
  if (changed) await fileAmendment(dir, wanted, termsOf(wanted))
  return { reopen: { caps: freshCaps(wanted.delivery.input, state, true) } }
}

/** The run's own bounds once more on top of what it has spent; those of a story as they are now. */
function freshCaps({ limits }: RunInput, state: LoopState, all: boolean): Caps {
  const caps = capsOf(limits)
  const activeMs = state.activeMs + caps.activeMs!
  if (!all) return { activeMs }
  const attemptsPerRun = state.attempts + caps.attemptsPerRun!
  return { ...caps, activeMs, attemptsPerRun, waitMs: state.waitMs + caps.waitMs! }
}

const termsOf = ({ delivery: { plan, agent, input } }: DeliveryRun) => ({
  plan: plan.sha256,
  agent: agent.name,
  tampering: input.policy.tampering,
  runCommands: input.verification.run_commands.length,
})

type Changes = { readonly firm: readonly string[]; readonly agent: boolean; readonly limits: boolean }

function changesBetween({ delivery: before }: DeliveryRun, { delivery: after }: DeliveryRun): Changes {
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
