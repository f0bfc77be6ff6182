import { z } from 'zod'
import type { Lock } from '../../../ports/locks.ts'
import type { Machine } from '../../../run/machine.ts'
import { defineStart, type Started } from '../../../run/mode.ts'
import { checkProgram } from '../../../run/preflight.ts'
import { type Backend, backends, chooseBackend } from './backends.ts'
import { callAgain } from './call-again.ts'
import { createDelivery } from './create-delivery.ts'
import { takeRunInput } from './input/read-input.ts'
import { takePlan } from './input/read-plan.ts'
import { findOutDir, hasSucceeded, holdCreated, ownOutDir, refuseRemains } from './out-dir.ts'
import { keepBefore } from './repository/keep-before.ts'
import { ownRepository } from './repository/own-repository.ts'
import { checkInput, checkPlan, checkRepository } from './repository/preconditions.ts'
import { newEnvelope } from './request.ts'

/** A path, or what lies in such a file. */
const Given = z.union([z.string(), z.record(z.string(), z.unknown())])

export const ExecuteOptions = z.object({
  input: Given,
  plan: Given,
  outDir: z.string(),
  /** Instead of the agent that the run input names. */
  agent: z.string().optional(),
  aiCmd: z.string().optional(),
  /** Ways to start agents besides the usual ones, by `agent.mode`. */
  backends: z
    .record(
      z.string(),
      z.custom<Backend>((given) => typeof given === 'function'),
    )
    .optional(),
})
export type ExecuteOptions = z.infer<typeof ExecuteOptions>

/** The machine contract of seed 004. Everything that can be refused is refused here, before anything is spent. */
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
  const input = takeRunInput(options.input)
  const { plan, text } = takePlan(options.plan)
  checkInput(machine, input)
  // What has succeeded is not tried again, so the repository may look as it likes by now.
  const done = await hasSucceeded(machine, options.outDir, input.run_id)
  if (!done) checkPlan(input, plan)
  const agent = chooseBackend(input, options, { ...backends, ...options.backends }, machine.agents)
  const dir = findOutDir(options.outDir, input.repo_path)
  const onRepair = (what: string): void => tell(`journal: ${what}`)
  // The out-dir is owned first and released last, so that nobody who finds it free can meet its last owner in the repository.
  const outDir = await ownOutDir(machine, dir, onRepair)
  const locks: Lock[] = [outDir.lock]
  const lock = { release: () => releaseAll(locks) }
  try {
    locks.unshift(await ownRepository(machine, input.repo_path))
    if (!done) await checkRepository(machine, input)
    checkProgram(machine, input.repo_path, agent, { exit: 10, namedIn: 'run input' })
    const envelope = newEnvelope({ program: machine.environment.program, input, agent })
    if (outDir.run) {
      const { stored, held } = outDir.run
      const again = await callAgain(machine, stored, envelope, text, { held: true })
      return { is: 'started', run: stored, lock, held, ...again }
    }
    refuseRemains(dir)
    const run = await createDelivery(machine, envelope, text, { at: dir, listed: false })
    const { held } = await holdCreated(run, onRepair)
    locks.splice(1, 0, held)
    if (input.policy.dirty === 'snapshot') await keepBefore(machine, run.entry)
    return { is: 'started', run, lock, held }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function releaseAll(locks: readonly Lock[]): Promise<void> {
  for (const lock of locks) await lock.release()
}
