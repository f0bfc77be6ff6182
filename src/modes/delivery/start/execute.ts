import { mkdirSync, realpathSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import { createSnapshots } from '../../../adapters/git/snapshots/snapshots.ts'
import { capture } from '../../../adapters/shell/capture.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Lease } from '../../../ports/lease.ts'
import { preflight } from '../../../run/modes.ts'
import type { Place } from '../../../run/paths.ts'
import { type Backends, backendOf, backends, type Override } from './backends.ts'
import { DeliveryError } from './input/delivery-error.ts'
import { readRunInput } from './input/read-input.ts'
import { readPlan } from './input/read-plan.ts'
import { hasSucceeded, keepPlan, type Opened, openOutDir } from './open-out-dir.ts'
import { ownDelivery } from './own-repository.ts'
import { checkInput, checkPlan, checkRepository } from './preconditions.ts'
import { deliveryRequest } from './request.ts'

export type Execution = Override & {
  readonly input: string
  readonly plan: string
  readonly outDir: string
  /** Ways to start agents besides the usual ones, by `agent.mode`. */
  readonly backends?: Backends | undefined
}

export type Prepared = Opened & {
  readonly id: string
  readonly dir: string
  readonly name: string
  readonly workspace: string
  /** Nobody else works in the repository until it is released. For the run itself, where it is owned as well. */
  readonly lease: Pick<Lease, 'release'>
  readonly runLease?: Lease
}

/** Everything that can be refused is refused here, before anything is spent. */
export async function prepareExecution(place: Place, asked: Execution): Promise<Prepared> {
  const input = readRunInput(asked.input)
  const { plan, text } = readPlan(asked.plan)
  checkInput(input)
  // What has succeeded is not tried again, so the repository may look as it likes by now.
  const done = hasSucceeded(asked.outDir, input.run_id)
  if (!done) checkPlan(input, plan)
  const agent = backendOf(input, asked, { ...backends, ...asked.backends })
  const dir = openDoor(asked.outDir, input.repo_path)
  const lease = ownDelivery(dir, input.repo_path)
  try {
    if (!done) await checkRepository(place, input)
    const request = deliveryRequest({ place, input, plan: await keepPlan(dir, text), agent })
    preflight(place, request)
    const opened = await openOutDir(dir, request, text, { owned: true })
    if (opened.created && input.policy.dirty === 'snapshot')
      await keepBefore(place, input.repo_path, { run: input.run_id, dir })
    return { ...opened, id: input.run_id, dir, name: request.name, workspace: input.repo_path, lease, runLease: lease }
  } catch (error) {
    lease.release()
    throw error
  }
}

type Kept = { readonly run: string; readonly dir: string }

/** Whatever lay uncommitted in the work tree when the run began, under a name of its own. */
export async function keepBefore({ env }: Place, folder: string, { run, dir }: Kept): Promise<string> {
  const snapshots = createSnapshots({ folder, env, capture, ownFolders: [dir] })
  const tree = await snapshots.take()
  const subject = 'The work tree before the run'
  return snapshots.keep({ key: `${run}/before`, from: tree, to: tree, subject, body: '' })
}

/** By its real path: a link on the way could lead elsewhere tomorrow. It is kept from agents, so it is not their work. */
function openDoor(asked: string, repository: string): string {
  let dir: string
  try {
    mkdirSync(asked, { recursive: true, mode: 0o700 })
    dir = realpathSync(asked)
  } catch (error) {
    throw new PawlError(30, `cannot make the out-dir ${asked}: ${(error as Error).message}`)
  }
  const above = relative(dir, realpathSync(repository))
  const holds = above === '' || !(above.startsWith('..') || isAbsolute(above))
  if (!holds) return dir
  const hint = 'Take a folder beside the repository, or one inside it that git ignores.'
  throw new DeliveryError('plan_generation_failed', `the out-dir ${dir} holds the repository itself`, { hint })
}
