import { existsSync, mkdirSync, readFileSync, unlinkSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { realDisk, writeWhole } from '../../../adapters/stores/files/disk.ts'
import { PawlError } from '../../../contract/exit.ts'
import { openRepository } from '../../../machine/open-repository.ts'
import type { Place } from '../../../run/paths.ts'
import { newRunId } from '../../../run/request.ts'
import { findGates } from '../../../setup/init/gates.ts'
import { repositoryAt } from '../../../setup/init/repository.ts'
import { gitRoot } from '../../../setup/init/where.ts'
import { Limits, type Verification } from '../contract/input.ts'
import type { Plan } from '../contract/plan.ts'
import { compilePlan } from '../core/planner/compile.ts'
import type { Explained } from '../core/planner/explain.ts'
import { planText } from '../core/planner/story.ts'
import { usualMode } from './backends.ts'
import { DeliveryError } from './input/delivery-error.ts'
import { readRunInput, runIdIn } from './input/read-input.ts'
import { readPrd } from './input/read-prd.ts'
import { writeRefusal } from './refusal.ts'

export type { Explained, Plan }
export type Shown = { readonly plan: Plan; readonly explained: readonly Explained[] }

/** For a program: `plan.json` into the folder, or `result.json` that says why not. */
export function planInput(inputPath: string, outDir: string): { readonly plan: Plan; readonly path: string } {
  makeFolder(outDir)
  try {
    const input = readRunInput(inputPath)
    const { plan } = planPrd(input.repo_path, input.prd_path, input.verification)
    return { plan, path: writePlan(outDir, plan) }
  } catch (error) {
    writeRefusal(outDir, error, runIdIn(inputPath))
    throw error
  }
}

/** The plan of a PRD. Throws with exit 30 where there is none. */
export function planPrd(root: string, path: string, verification: Verification): Shown {
  const planned = compilePlan(readPrd(root, path), basename(path), verification)
  if (planned.ok) return planned
  const { code, message, hint } = planned.problem
  throw new DeliveryError('plan_generation_failed', `${path}: ${message}`, { hint, code })
}

/** A plan takes back what an earlier try to plan left behind. */
export function writePlan(outDir: string, plan: Plan): string {
  makeFolder(outDir)
  const path = join(outDir, 'plan.json')
  write(path, planText(plan))
  const result = join(outDir, 'result.json')
  if (existsSync(result) && isRefusal(readFileSync(result, 'utf8'))) unlinkSync(result)
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

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new PawlError(20, `cannot make ${path}: ${(error as Error).message}`, 'Nothing was written.')
  }
}

function write(path: string, text: string): void {
  try {
    writeWhole(realDisk, path, text, { synced: true })
  } catch (error) {
    throw new PawlError(20, `cannot write ${path}: ${(error as Error).message}`)
  }
}

/** Where a person's PRD is, and what could prove it: commands given, else those that the repository suggests. */
export function prdHere(place: Place, path: string, cwd: string, commands: readonly string[]) {
  const full = resolve(cwd, path)
  const root = gitRoot(dirname(full), place.home) ?? dirname(full)
  const gates = commands.length > 0 ? [] : findGates(repositoryAt(root))
  const tests = gates.filter(({ purpose }) => purpose === 'test').map(({ command }) => command)
  const verification: Verification = {
    story_commands: commands.length > 0 ? [...commands] : tests,
    run_commands: (commands.length > 0 ? [...commands] : gates.map(({ command }) => command)).filter(isOfTheWhole),
  }
  return { root, path: relative(root, full), verification }
}

// It fails: whoever forgets to replace it gets no story that nothing has proved.
const toReplace = 'false # replace this by the command that proves a story'

/** A run input to start from, as `execute` takes it: on the branch that is checked out. */
export async function inputHere(place: Place, { root, path, verification }: ReturnType<typeof prdHere>) {
  const branch = (await openRepository(place, root).look())?.branch ?? 'main'
  const { story_commands, run_commands } = verification
  const commands = story_commands.length > 0 ? story_commands : [toReplace]
  return {
    contract_version: 1,
    run_id: newRunId(new Date()),
    repo_path: root,
    prd_path: path,
    base_branch: branch,
    working_branch: branch,
    limits: Limits.parse({}),
    verification: { story_commands: commands, run_commands },
    agent: { mode: usualMode, model_hint: 'opencode' },
  }
}

/** A command that names a story has no meaning at the end. */
const isOfTheWhole = (command: string): boolean => !command.includes('{story_id}')
