import { z } from 'zod'
import { findNearest } from '../../../contract/nearest.ts'
import type { Lock } from '../../../ports/locks.ts'
import type { Machine } from '../../../run/machine.ts'
import { defineStart, type Started } from '../../../run/mode.ts'
import { checkProgram } from '../../../run/preflight.ts'
import type { RunInput } from '../contract/input.ts'
import { Plan, type Story } from '../contract/plan.ts'
import { formatPlan } from '../core/planner/story.ts'
import { type Backend, backends, chooseBackend } from './backends.ts'
import { callAgain } from './call-again.ts'
import { ContractError, type ContractProblem, DeliveryError } from './input/contract-error.ts'
import { parseContract, readContractText } from './input/parse-contract.ts'
import { loadRunInput } from './input/read-input.ts'
import { checkRemains, findOutDir, hasSucceeded, holdCreated, lockOutDir } from './out-dir.ts'
import { lockRepository } from './repository/own-repository.ts'
import { checkInput, checkPlan, checkRepository } from './repository/preconditions.ts'
import { chooseName, createDelivery, createEnvelope, saveWorkTree } from './request.ts'

/** A path, or its parsed content. */
const Given = z.union([z.string(), z.record(z.string(), z.unknown())])

export const ExecuteOptions = z.object({
  input: Given,
  plan: Given,
  outDir: z.string(),
  /** Overrides the agent of the run input. */
  agent: z.string().optional(),
  aiCmd: z.string().optional(),
  /** Extra ways to start agents, keyed by `agent.mode`. */
  backends: z
    .record(
      z.string(),
      z.custom<Backend>((given) => typeof given === 'function'),
    )
    .optional(),
})
export type ExecuteOptions = z.infer<typeof ExecuteOptions>

/** The machine contract of seed 004. All checks run here, before any cost. */
export const execute = defineStart({
  options: ExecuteOptions,
  startsAgents: true,
  start: (machine, options, { tell }) => startExecution(machine, options, tell),
})

async function startExecution(
  machine: Machine,
  options: ExecuteOptions,
  tell: (text: string) => void,
): Promise<Started> {
  const input = loadRunInput(options.input)
  const { plan, text } = loadPlan(options.plan)
  checkInput(machine, input)
  // A successful run is not repeated, so the repository may have changed since.
  const done = await hasSucceeded(machine, options.outDir, input.run_id)
  if (!done) checkPlan(input, plan)
  const agent = chooseBackend(input, options, { ...backends, ...options.backends }, machine.agents)
  const dir = findOutDir(options.outDir, input.repo_path)
  const onRepair = (what: string): void => tell(`journal: ${what}`)
  // The out-dir is locked first and released last: if it is free, its last owner has left the repository too.
  const outDir = await lockOutDir(machine, dir, onRepair)
  const locks: Lock[] = [outDir.lock]
  const lock = { release: () => releaseAll(locks) }
  try {
    locks.unshift(await lockRepository(machine, { workspace: input.repo_path, name: chooseName(input) }))
    if (!done) await checkRepository(machine, input)
    checkProgram(machine, input.repo_path, agent, { exit: 10, namedIn: 'run input' })
    const envelope = createEnvelope({ program: machine.environment.program, input, agent })
    if (outDir.run) {
      const { stored, held } = outDir.run
      const again = await callAgain(machine, stored, envelope, text, { held: true })
      return { is: 'started', run: stored, lock, held, ...again }
    }
    checkRemains(dir)
    await refuseUsedId(machine, input)
    const run = await createDelivery(machine, envelope, text, { at: dir, listed: false })
    const { held } = await holdCreated(run, onRepair)
    locks.splice(1, 0, held)
    if (input.policy.dirty === 'snapshot') await saveWorkTree(machine, run.entry)
    return { is: 'started', run, lock, held }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** The refs of a run's stories are named after its id. In another out-dir it would move those of the first run. */
async function refuseUsedId({ git }: Machine, { run_id, repo_path }: RunInput): Promise<void> {
  if (!(await git.hasRunRefs(repo_path, run_id))) return
  const what = `the run id ${run_id} is used: its stories are under refs/pawl/${run_id}, and its out-dir is another one`
  const hint = 'Use the out-dir of that run, or another run_id.'
  throw new DeliveryError('plan_generation_failed', what, { hint, pointer: '/run_id' })
}

async function releaseAll(locks: readonly Lock[]): Promise<void> {
  for (const lock of locks) await lock.release()
}

const contract = { schema: Plan, maxMebibytes: 16, hint: (pawl: string) => `To plan again: ${pawl} plan` }

type PlanAndText = { readonly plan: Plan; readonly text: string }

/** Returns the plan and its exact text, because the hashes cover bytes. */
export const readPlan = (path: string): PlanAndText => parsePlan(readContractText(path, contract), path)

/** Takes a path or a value. Both are checked against the same contract. */
const loadPlan = (given: string | object): PlanAndText =>
  typeof given === 'string' ? readPlan(given) : parsePlan(formatPlan(given as Plan), 'plan')

function parsePlan(text: string, file: string): PlanAndText {
  const plan = parseContract(text, file, contract)
  const problem = findGraphProblem(plan.stories)
  if (problem) throw new ContractError(file, problem, contract.hint)
  return { plan, text }
}

type Stories = readonly Pick<Story, 'id' | 'depends_on'>[]
type Places = ReadonlyMap<string, number>

/** Checks what the schema cannot: ids are unique, and each story comes after its dependencies. */
function findGraphProblem(stories: Stories): ContractProblem | undefined {
  const places = new Map<string, number>()
  for (const [index, { id }] of stories.entries()) {
    const first = places.get(id)
    if (first !== undefined) return duplicateId(id, first, index)
    places.set(id, index)
  }
  for (const [index, { id, depends_on }] of stories.entries()) {
    for (const [edge, on] of depends_on.entries()) {
      const pointer = `/stories/${index}/depends_on/${edge}`
      const place = places.get(on)
      if (place === undefined) return unknownStory(on, pointer, places)
      if (on === id) return { pointer, what: 'a story depends on itself', found: on, allowed: 'earlier stories' }
    }
  }
  return wrongOrder(stories, places)
}

/** A cycle is possible only if some story comes before one of its dependencies. */
function wrongOrder(stories: Stories, places: Places): ContractProblem | undefined {
  for (const [index, { id, depends_on }] of stories.entries()) {
    const edge = depends_on.findIndex((on) => places.get(on)! > index)
    if (edge < 0) continue
    const cycle = findCycle(stories, places)
    if (cycle) return cycleProblem(cycle, stories, places)
    const pointer = `/stories/${index}/depends_on/${edge}`
    const found = `${id} before ${depends_on[edge]}`
    return { pointer, what: 'wrong order', found, allowed: 'every story after its dependencies' }
  }
  return undefined
}

function duplicateId(id: string, first: number, index: number): ContractProblem {
  const allowed = `a unique id; /stories/${first} has it too`
  return { pointer: `/stories/${index}/id`, what: 'duplicate id', found: id, allowed }
}

function unknownStory(on: string, pointer: string, places: Places): ContractProblem {
  const allowed = 'the id of a story of this plan'
  return { pointer, what: 'unknown story', found: on, allowed, nearest: findNearest(on, [...places.keys()]) }
}

function cycleProblem(cycle: readonly string[], stories: Stories, places: Places): ContractProblem {
  const [from, to] = cycle
  const index = places.get(from!)!
  const pointer = `/stories/${index}/depends_on/${stories[index]!.depends_on.indexOf(to!)}`
  return { pointer, what: 'dependency cycle', found: formatCycle(cycle), allowed: 'dependencies without a cycle' }
}

/** S1 -> S3 -> S1. A long cycle shows only its start and end. */
function formatCycle(cycle: readonly string[]): string {
  const ends = cycle.length > 8 ? [...cycle.slice(0, 4), `${cycle.length - 6} more`, ...cycle.slice(-2)] : cycle
  return ends.join(' -> ')
}

/** Searches depth first without recursion. Reaching a story that is still `open` closes a cycle. */
function findCycle(stories: Stories, places: Places): readonly string[] | undefined {
  const seen = new Map<number, 'open' | 'closed'>()
  for (const start of stories.keys()) {
    const path = seen.has(start) ? [] : [{ story: start, edge: 0 }]
    for (let here = path.at(-1); here; here = path.at(-1)) {
      seen.set(here.story, 'open')
      const on = stories[here.story]!.depends_on[here.edge++]
      const next = on === undefined ? undefined : places.get(on)!
      if (next === undefined) seen.set(path.pop()!.story, 'closed')
      else if (seen.get(next) === 'open') {
        const from = path.findIndex(({ story }) => story === next)
        return [...path.slice(from).map(({ story }) => stories[story]!.id), stories[next]!.id]
      } else if (!seen.has(next)) path.push({ story: next, edge: 0 })
    }
  }
  return undefined
}
