import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { loadSettings } from '../../../config/load-settings.ts'
import { findGitRoot } from '../../../config/repository/repository.ts'
import { PawlError } from '../../../contract/exit.ts'
import { type Machine, machineAt } from '../../../run/machine.ts'
import { createRunId } from '../../../run/new-run.ts'
import { Limits, type Verification } from '../contract/input.ts'
import type { Plan } from '../contract/plan.ts'
import { compilePlan } from '../core/planner/compile.ts'
import type { Explained } from '../core/planner/explain.ts'
import { formatPlan } from '../core/planner/story.ts'
import { backends, checkMode, defaultMode } from './backends.ts'
import { findProofs, type Proofs } from './find-proofs.ts'
import { DeliveryError } from './input/contract-error.ts'
import { readRunId, readRunInput } from './input/read-input.ts'
import { readPrd } from './input/read-prd.ts'
import { writeRefusal } from './refusal.ts'
import { checkInput } from './repository/preconditions.ts'

export type { Explained, Plan }
export type Shown = { readonly plan: Plan; readonly explained: readonly Explained[] }

type Planned = { readonly plan: Plan; readonly path: string }

/** For programs: writes `plan.json` into the folder, or `result.json` with the error. */
export async function planInput(machine: Machine, inputPath: string, outDir: string): Promise<Planned> {
  makeFolder(machine, outDir)
  try {
    const input = readRunInput(inputPath)
    checkInput(machine, input)
    checkMode(input, backends)
    const { plan } = planPrd(input.repo_path, input.prd_path, input.verification)
    return { plan, path: writePlan(machine, outDir, plan) }
  } catch (error) {
    await writeRefusal(machine, outDir, error, readRunId(inputPath))
    throw error
  }
}

/** Plans a PRD of a repository. Throws with exit code 30 if that fails. */
export const planPrd = (root: string, path: string, verification: Verification): Shown =>
  compilePrd(readPrd(root, path), path, verification)

/** Plans the text of a PRD. `path` is for messages. */
export function compilePrd(text: string, path: string, verification: Verification): Shown {
  const planned = compilePlan(text, basename(path), verification)
  if (planned.ok) return planned
  const { code, message, hint } = planned.problem
  throw new DeliveryError('plan_generation_failed', `${path}: ${message}`, { hint, code })
}

/** Also removes the `result.json` of an earlier failed planning. */
export function writePlan(machine: Machine, outDir: string, plan: Plan): string {
  makeFolder(machine, outDir)
  const path = join(outDir, 'plan.json')
  try {
    machine.files.write(path, formatPlan(plan), { synced: true })
  } catch (error) {
    throw new PawlError(20, `cannot write ${path}: ${(error as Error).message}`)
  }
  const result = join(outDir, 'result.json')
  if (existsSync(result) && isRefusal(readFileSync(result, 'utf8'))) machine.files.remove(result)
  return path
}

function isRefusal(text: string): boolean {
  try {
    const { reason, seq } = JSON.parse(text) as { reason?: unknown; seq?: unknown }
    return reason === 'plan_generation_failed' && seq === 0
  } catch {
    return false
  }
}

function makeFolder({ files }: Machine, path: string): void {
  try {
    files.makeFolder(path)
  } catch (error) {
    throw new PawlError(20, `cannot create ${path}: ${(error as Error).message}`, 'Nothing was written.')
  }
}

/** Finds a PRD and the commands that could prove it: those that `deliver` would use, else those that the repository suggests. */
export async function findPrd(machine: Machine, path: string, cwd: string, given: readonly string[]) {
  const full = resolve(cwd, path)
  const root = findGitRoot(dirname(full), machine.environment.home) ?? dirname(full)
  const settings = await loadSettings(machineAt(machine, root), { procedure: 'deliver' })
  const verification = toVerification(findProofs(root, settings, given))
  return { root, path: relative(root, full), verification, warnings: settings.warnings }
}

function toVerification(proofs: Proofs): Verification {
  if (proofs.are === 'set')
    return { story_commands: [...proofs.commands], run_commands: proofs.commands.filter(isForRun) }
  const tests = proofs.gates.filter(({ purpose }) => purpose === 'test')
  return {
    story_commands: tests.map(({ command }) => command),
    run_commands: proofs.gates.map(({ command }) => command),
  }
}

// Always fails, so that no story passes unproved if the command is not replaced.
const toReplace = 'false # replace this with the command that proves a story'

/** Builds a run input for `execute` as a starting point, on the branch that is checked out. */
export async function buildInput({ git }: Machine, { root, path, verification }: Awaited<ReturnType<typeof findPrd>>) {
  const branch = (await git.findBranch(root)) ?? 'main'
  const { story_commands, run_commands } = verification
  const commands = story_commands.length > 0 ? story_commands : [toReplace]
  return {
    contract_version: 1,
    run_id: createRunId(new Date()),
    repo_path: root,
    prd_path: path,
    base_branch: branch,
    working_branch: branch,
    limits: Limits.parse({}),
    verification: { story_commands: commands, run_commands },
    agent: { mode: defaultMode, model_hint: 'opencode' },
  }
}

/** A command with a story id makes no sense at the end of the run. */
const isForRun = (command: string): boolean => !command.includes('{story_id}')
