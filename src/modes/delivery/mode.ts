import { join } from 'node:path'
import { NotSavedError } from '../../ports/journal.ts'
import type { Lock } from '../../ports/locks.ts'
import type { Machine, RunTools } from '../../run/machine.ts'
import { type Composed, defineMode } from '../../run/mode.ts'
import { checkProgram } from '../../run/preflight.ts'
import type { Run } from '../../run/run.ts'
import type { DeliveryRequest } from './contract/request.ts'
import type { DeliveryFacts } from './core/facts.ts'
import type { DeliveryMemo } from './core/memo.ts'
import { deliveryResult } from './core/result.ts'
import { deliveryFacts } from './facts.ts'
import { deliveryShow } from './show/show.ts'
import { amendDelivery } from './start/amend.ts'
import { deliveryReader, planOf } from './start/open-delivery.ts'
import { type Plans, readPlanText } from './start/plans.ts'
import { missingProgram } from './start/repository/missing-program.ts'
import { ownRepository } from './start/repository/own-repository.ts'
import { checkRepository } from './start/repository/preconditions.ts'
import { uncommittedNotice } from './start/repository/uncommitted.ts'
import { watchFiles } from './start/repository/watch.ts'
import { deliveryWork } from './work/work.ts'

/** The stories of a PRD, one after the other, each proved by its commands: seed 004. */
export const delivery = defineMode<DeliveryRequest, Plans, DeliveryMemo, DeliveryFacts>({
  ...deliveryReader,
  commands: ({ agent, input }) => {
    const { story_commands, run_commands, by_requirement = {} } = input.verification
    const checks = [...new Set([...story_commands, ...Object.values(by_requirement).flat(), ...run_commands])]
    return { agents: [agent], checks, sends: [] }
  },
  resuming: {
    amend: amendDelivery,
    caps: (given) => given,
    notices: async ({ entry }, machine) => {
      const notice = await uncommittedNotice(machine, entry.workspace)
      return notice ? [notice] : []
    },
  },
  feedback: { instead: 'To change what it is told: its prompt files, or: pawl resume --context' },
  preflight: async ({ envelope, request }, machine) =>
    checkProgram(machine, envelope.workspace, request.agent, { exit: 10, namedIn: 'run input' }),
  hold,
  compose,
  result: ({ entry: { id } }, plans, left, { exit, sandbox }) =>
    deliveryResult({
      run: id,
      plan: planOf(plans, left.view),
      left,
      exit,
      sandbox,
      notSaved: left.status === 'unsaved' && left.error instanceof NotSavedError,
    }),
  facts: deliveryFacts,
  show: deliveryShow,
})

/** The work tree that its stories change. What lies in it is what the run has left there. */
async function hold(
  { entry, current }: Run<DeliveryRequest>,
  machine: Machine,
  { force }: { readonly force: boolean },
): Promise<Lock> {
  const { input } = current.request
  const lock = await ownRepository(machine, entry.workspace, force)
  try {
    await checkRepository(machine, { ...input, policy: { ...input.policy, dirty: 'include' } })
    return lock
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function compose(run: Run<DeliveryRequest>, plans: Plans, tools: RunTools): Promise<Composed<DeliveryMemo>> {
  const { request } = run.current
  const { workspace, folder } = tools
  const write = (path: string, text: string): void => writeQuietly(tools, join(folder, path), text)
  write('plan.json', await readPlanText(run, request.plan))
  const work = deliveryWork(request, {
    agent: tools.openAgent(request.agent, { silenceMs: request.silenceMs }),
    shell: tools.shell,
    content: tools.content,
    snapshots: await tools.git.openSnapshots(workspace, [folder]),
    repository: tools.git.openRepository(workspace),
    plans,
    run: run.entry.id,
    workspace,
    env: tools.environmentFor(),
    folder,
    file: tools.file,
    watch: async (commands) => watchFiles(tools, { workspace, folder, commands }),
    missingProgram: (command) => missingProgram(tools, command, workspace),
    mask: tools.createMask(tools.secrets),
    writePage: write,
    onProgress: tools.onProgress,
  })
  return { work }
}

/** The journal and the content beside it say the same. */
function writeQuietly({ files }: RunTools, path: string, text: string): void {
  try {
    files.write(path, text)
  } catch {}
}
