import { basename, dirname, resolve } from 'node:path'
import type { z } from 'zod'
import type { LoopEvent } from '../../../contract/event.ts'
import type { HeldRun, StoredRun } from '../../../ports/run-store.ts'
import { endRun } from '../../../run/actions/notes.ts'
import { executeRun } from '../../../run/execution/execute.ts'
import { machineAt } from '../../../run/machine.ts'
import type { Program, Started, Starter } from '../../../run/mode.ts'
import { openRun } from '../../../run/open-run.ts'
import type { RunInput, Verification } from '../contract/input.ts'
import type { Plan } from '../contract/plan.ts'
import { DeliveryResult } from '../contract/result.ts'
import type { Backends } from './backends.ts'
import { execute as start } from './execute.ts'
import { readRunId } from './input/read-input.ts'
import { compilePrd, planPrd } from './plan-prd.ts'
import { writeRefusal } from './refusal.ts'

/** A PRD as text, or as a file inside `root` (default: the folder of the file). */
export type PlanOptions = { readonly verification: z.input<typeof Verification> } & (
  | { readonly text: string; readonly name?: string }
  | { readonly path: string; readonly root?: string }
)

/** Returns the plan that `pawl plan` writes. Throws a PawlError if the PRD cannot be planned. */
export function plan(options: PlanOptions): Plan {
  const { verification } = options
  if ('text' in options) return compilePrd(options.text, options.name ?? 'PRD.md', verification).plan
  const { root = dirname(resolve(options.path)) } = options
  const path = options.root === undefined ? basename(options.path) : options.path
  return planPrd(root, path, verification).plan
}

export type ExecuteDelivery = {
  /** Both may be a path or its parsed content. */
  readonly input: string | z.input<typeof RunInput>
  readonly plan: string | Plan
  readonly outDir: string
  /** Extra ways to start agents, keyed by `agent.mode`. */
  readonly backends?: Backends
  /** Stops the run. Calling again resumes it. */
  readonly signal?: AbortSignal
  readonly onEvent?: (event: LoopEvent) => void
  /** Receives notices for people. */
  readonly onNotice?: (text: string) => void
}

/** Runs `pawl execute` in this process. Refusals are returned as a result too, and the out-dir has the same result. */
export async function execute(program: Program, options: ExecuteDelivery): Promise<DeliveryResult> {
  const { machine } = program
  const { input, plan: planned, backends } = options
  const outDir = resolve(options.outDir)
  const tell = options.onNotice ?? (() => {})
  try {
    const end = (run: StoredRun): Promise<void> => endRun(program, run, tell)
    const starter: Starter = { ask: async () => undefined, tell, show: () => {}, end }
    const started = await start.start(machine, { input, plan: planned, outDir, backends }, starter)
    return await drive(program, started as Running, options, tell)
  } catch (error) {
    const refusal = await writeRefusal(machine, outDir, error, readRunId(input))
    if (refusal) return refusal
    throw error
  }
}

/** An execution is held from its creation and never asks a person. */
type Running = Extract<Started, { is: 'started' }> & { readonly held: HeldRun }

const never = new AbortController().signal

async function drive(
  program: Program,
  { run, lock, held, reopen }: Running,
  { signal, onEvent }: ExecuteDelivery,
  notice: (text: string) => void,
): Promise<DeliveryResult> {
  try {
    const machine = machineAt(program.machine, run.entry.workspace)
    const open = await openRun({ ...program, machine }, run)
    const { result } = await executeRun(open, {
      machine,
      stop: { soft: never, hard: signal ?? never, now: never },
      attended: false,
      reopen,
      held,
      mayShowWords: false,
      surface: { event: (event) => onEvent?.(event), notice },
    })
    return DeliveryResult.parse(result)
  } finally {
    await lock.release()
  }
}
