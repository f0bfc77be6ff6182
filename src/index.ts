/**
 * The library: plans and executes a PRD (seed 004), refines texts (seeds 000 and 001), and exports the loop itself for use with your own
 * policy and work. docs/library.md has an example of each.
 */

import { openMemoryStore } from './adapters/stores/memory/store.ts'
import { checkOptionNames } from './contract/check-options.ts'
import { openDatabase } from './machine/database.ts'
import { readEnvironment } from './machine/environment.ts'
import { openMachine } from './machine/open-machine.ts'
import { withAgents } from './machine/with-agents.ts'
import type { Plan } from './modes/delivery/contract/plan.ts'
import type { DeliveryResult } from './modes/delivery/contract/result.ts'
import { deliveryEntry } from './modes/delivery/entry.ts'
import type { ExecuteDelivery, PlanOptions } from './modes/delivery/start/library.ts'
import { refinementEntry } from './modes/refinement/entry.ts'
import { createLibrary } from './modes/refinement/library/library.ts'
import { writingEntry } from './modes/writing/entry.ts'
import { createIterate } from './modes/writing/library/iterate.ts'
import type { Agent } from './ports/agent.ts'
import type { RunStore } from './ports/run-store.ts'

export { openFilesStore } from './adapters/stores/files/store.ts'
export type { FrozenAgent } from './contract/envelope.ts'
export type { Call, Decision, LoopEvent, Note, Outcome, Stop, Task, Verdict } from './contract/event.ts'
export { type ExitCode, PawlError } from './contract/exit.ts'
export { Rung } from './contract/models.ts'
export type { Reason } from './contract/reasons.ts'
export { Rubric } from './contract/rubric.ts'
export type { CapName, Caps, Ref, Usage } from './contract/values.ts'
export type { Allowance, Left, Policy, View } from './kernel/policy.ts'
export { type Attempt, type LoopOptions, runLoop, type Work } from './kernel/run.ts'
export type { LoopState } from './kernel/state.ts'
export { firstDivergence, foldEvents, nextStep } from './kernel/step.ts'
export type { RunInput } from './modes/delivery/contract/input.ts'
export { presets, RefineConfig } from './modes/refinement/contract/config.ts'
export type { Control, PausedPayload, Refined, RefineOptions, ResumeOptions } from './modes/refinement/library/types.ts'
export type { SemanticDiff } from './modes/writing/contract/semantic-diff.ts'
export type { IterateOptions, IterationResult } from './modes/writing/library/iterate.ts'
export type { AgentReport, AgentRequest } from './ports/agent.ts'
export type { Model, ModelReply, ModelRequest } from './ports/model.ts'
export type { HeldRun, NewRun, RunEntry, RunListing, StoredRun } from './ports/run-store.ts'
export type { Agent, DeliveryResult, Plan, PlanOptions, RunStore }
export { openMemoryStore }

const modes = [deliveryEntry, refinementEntry, writingEntry]

/** Opens a store of runs in Postgres, for processes on several machines. It connects with its first use; `close` ends its connections. */
export function openPostgresStore(url: string): RunStore & { close(): Promise<void> } {
  const { store, close } = openDatabase(url, newMachine().store)
  return { ...store, close }
}

/** Opens this machine with the current folder as workspace, like `pawl` does. */
const newMachine = (env: NodeJS.ProcessEnv = process.env) => openMachine({ ...readEnvironment('pawl'), env }, { modes })

/** Returns the plan that `pawl plan` writes; the same PRD always gives the same plan. Rejects with a PawlError if the PRD has no valid plan. */
export async function plan(options: PlanOptions): Promise<Plan> {
  checkOptionNames(['verification', 'text', 'name', 'path', 'root'], options)
  return (await import('./modes/delivery/start/library.ts')).plan(options)
}

export type ExecuteOptions = ExecuteDelivery & {
  /** Your own agents. The key is the `agent.mode` in the run input that selects the agent. */
  readonly agents?: Readonly<Record<string, Agent>>
  readonly env?: NodeJS.ProcessEnv
}

const executeNames = [
  'input',
  'plan',
  'outDir',
  'backends',
  'signal',
  'onEvent',
  'onNotice',
  'agents',
  'env',
] as const satisfies readonly (keyof ExecuteOptions)[]

/** Does the same as `pawl execute`, in this process. Rejects only for unknown options, otherwise returns a result; a second call resumes an unfinished run. */
export async function execute(given: ExecuteOptions): Promise<DeliveryResult> {
  checkOptionNames(executeNames, given)
  const { agents = {}, env, ...options } = given
  const library = await import('./modes/delivery/start/library.ts')
  const own = Object.keys(agents).map((name) => [name, () => ({ name, argv: [name] as const })] as const)
  const program = { machine: withAgents(newMachine(env), agents), modes: [deliveryEntry] }
  return library.execute(program, { ...options, backends: { ...Object.fromEntries(own), ...options.backends } })
}

export const { iteratePrompt, adaptiveIterate, resumeIteration } = createLibrary({
  openMachine: newMachine,
  createStore: openMemoryStore,
  modes: [refinementEntry],
})

/** Seed 003's `iterate`: revises a level of a written work from plain feedback, without a terminal. */
export const iterate = createIterate({ openMachine: newMachine, modes: [writingEntry] })
