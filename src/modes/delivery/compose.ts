import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startContainers } from '../../config/repository/containers.ts'
import { openRepositoryFiles } from '../../config/repository/repository.ts'
import type { Work } from '../../kernel/run.ts'
import { NotSavedError } from '../../ports/journal.ts'
import type { Lock } from '../../ports/locks.ts'
import type { Room } from '../../ports/room.ts'
import type { Snapshots } from '../../ports/snapshots.ts'
import { leaveRoom, openRunRoom } from '../../run/execution/room.ts'
import type { Machine, RunTools } from '../../run/machine.ts'
import type { Composed } from '../../run/mode.ts'
import type { Run } from '../../run/run.ts'
import type { DeliveryRequest } from './contract/request.ts'
import type { DeliveryMemo } from './core/memo.ts'
import { DeliveryError } from './start/input/contract-error.ts'
import { type Plans, readPlanText } from './start/open-delivery.ts'
import { lockRepository } from './start/repository/own-repository.ts'
import { checkAuthor, checkRepository, missingProgram } from './start/repository/preconditions.ts'
import { watchFiles } from './start/repository/watch.ts'
import { findUncommitted, refuseForeign } from './start/uncommitted.ts'
import { createTouchedFinder } from './work/touched.ts'
import { createDeliveryWork } from './work/work.ts'

/** Locks the work tree that the stories change. Only uncommitted files that the run left there are allowed. */
export async function holdWorkTree(
  run: Run<DeliveryRequest>,
  machine: Machine,
  { force }: { readonly force: boolean },
): Promise<Lock> {
  const { entry } = run
  const { input } = run.current.request
  const lock = await lockRepository(machine, { workspace: entry.workspace, name: entry.name, force })
  try {
    const repo_path = entry.workspace
    await checkRepository(machine, { ...input, repo_path, policy: { ...input.policy, dirty: 'include' } })
    const { commit, author } = run.current.request
    if (commit) await checkAuthor(machine, repo_path, author)
    refuseForeign(await findUncommitted(machine, run), entry.name, input.policy.dirty)
    return lock
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Builds the work of a delivery and writes `plan.json` into its folder. */
export async function composeDelivery(
  run: Run<DeliveryRequest>,
  plans: Plans,
  tools: RunTools,
): Promise<Composed<DeliveryMemo>> {
  const { request } = run.current
  const { workspace, folder } = tools
  const write = (path: string, text: string): void => writeQuietly(tools, join(folder, path), text)
  write('plan.json', await readPlanText(run, request.plan))
  const snapshots = await tools.git.openSnapshots(workspace, [folder])
  const { clean_room } = request.input.policy
  const opened = clean_room ? await openRoom(tools, snapshots, request) : undefined
  if (opened instanceof NotSavedError) return { work: failingWork(opened) }
  const room = opened
  const work = createDeliveryWork(request, {
    agent: tools.openAgent(request.agent, { silenceMs: request.silenceMs }),
    shell: tools.shell,
    content: tools.content,
    snapshots,
    room,
    roomShell: tools.roomShell,
    findTouched: createTouchedFinder(snapshots, request.input.verification),
    readFile,
    repository: tools.git.openRepository(workspace),
    plans,
    run: run.entry.id,
    workspace,
    env: tools.environmentFor(),
    folder,
    file: tools.file,
    exists: (path) => lstatSync(join(workspace, path), { throwIfNoEntry: false }) !== undefined,
    watch: async (commands) => watchFiles(tools, { workspace, folder, commands }),
    missingProgram: (command) => missingProgram(tools, command, workspace),
    mask: tools.createMask(tools.secrets),
    writePage: write,
    onProgress: tools.onProgress,
  })
  if (!room) return { work }
  return { work, projection: { onSaved: () => {}, onLeft: (left) => leaveRoom(room, left) } }
}

/** Throws if there is no room here and the run asked for one: it must not be verified in place. */
async function openRoom(
  tools: RunTools,
  snapshots: Snapshots,
  { input: { policy, verification } }: DeliveryRequest,
): Promise<Room | NotSavedError | undefined> {
  const { story_commands, run_commands, by_requirement = {}, prepare = [], reset = [] } = verification
  const commands = [...story_commands, ...run_commands, ...Object.values(by_requirement).flat(), ...prepare, ...reset]
  const onRealPath = startContainers(openRepositoryFiles(tools.workspace), commands)
  const room = await openRunRoom(tools, snapshots, { onRealPath }).catch((error: unknown) => {
    if (error instanceof NotSavedError) return error
    throw error
  })
  if (room instanceof NotSavedError || !('problem' in room)) return room
  if (policy.clean_room === 'auto') {
    tools.onNotice(`there is no clean room here, so stories are verified in the work tree: ${room.problem}`)
    return undefined
  }
  throw new DeliveryError('blocked_dependency', `there is no clean room here: ${room.problem}`, {
    hint: 'Leave out --clean-room (policy.clean_room) to verify in the work tree.',
  })
}

/** A disk that is full ends the run at its first step, which can be resumed. */
const failingWork = (error: NotSavedError): Work<DeliveryMemo> => ({
  attempt: () => Promise.reject(error),
  evaluate: () => Promise.reject(error),
})

const maxBytes = 16 << 20

/** Never follows a link: agents can make one. */
function readFile(path: string): string | undefined {
  try {
    const found = lstatSync(path)
    return found.isFile() && found.size <= maxBytes ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}

/** A failed write is ignored: the journal and its content hold the same text. */
function writeQuietly({ files }: RunTools, path: string, text: string): void {
  try {
    files.write(path, text)
  } catch {}
}
