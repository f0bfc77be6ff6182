import { join } from 'node:path'
import { createSnapshots } from '../../adapters/git/snapshots/snapshots.ts'
import { capture } from '../../adapters/shell/capture.ts'
import { createMaskFactory } from '../../adapters/shell/output/mask.ts'
import { realDisk, writeWhole } from '../../adapters/stores/files/disk.ts'
import type { DeliveryRun } from '../../contract/request.ts'
import type { Policy } from '../../kernel/policy.ts'
import { environmentOf, openAgent } from '../../machine/open-agent.ts'
import { openRepository } from '../../machine/open-repository.ts'
import { secretsOf } from '../../machine/open-shell.ts'
import { exitOf } from '../../run/exit-of.ts'
import type { RunEntry } from '../../run/index-of-runs.ts'
import { type Composed, defineMode, type Tools } from '../../run/mode.ts'
import type { Place } from '../../run/paths.ts'
import { checkProgram } from '../../run/preflight.ts'
import type { DeliveryMemo } from './core/memo.ts'
import { deliveryPolicy } from './core/policy.ts'
import { deliveryReasons } from './core/reasons.ts'
import { deliveryResult } from './core/result.ts'
import { missingProgram } from './start/missing-program.ts'
import { ownRepository } from './start/own-repository.ts'
import { plansOf } from './start/plans.ts'
import { checkRepository } from './start/preconditions.ts'
import { watchFiles } from './start/watch.ts'
import { deliveryWork } from './work/work.ts'

export const delivery = defineMode<DeliveryRun, DeliveryMemo>({
  name: 'delivery',
  reasons: deliveryReasons,
  feedback: { instead: 'To change what it is told: its prompt files, or: pawl resume --context' },
  sealedBy: () => undefined,
  commands: ({ delivery: { agent, input } }) => {
    const { story_commands, run_commands, by_requirement = {} } = input.verification
    const checks = [...new Set([...story_commands, ...Object.values(by_requirement).flat(), ...run_commands])]
    return { agents: [agent], checks, sends: [] }
  },
  preflight: (place, { workspace, delivery }) =>
    checkProgram(place, workspace, delivery.agent, { exit: 10, namedIn: 'run input' }),
  hold,
  policy: deliveryPolicyOf,
  compose,
})

/** The work tree that its stories change. What lies in it is what the run has left there. */
async function hold(here: Place, run: RunEntry, { delivery: { input } }: DeliveryRun, force: boolean) {
  const lease = ownRepository(run.workspace, force)
  try {
    await checkRepository(here, { ...input, policy: { ...input.policy, dirty: 'include' } })
    return lease
  } catch (error) {
    lease.release()
    throw error
  }
}

export function deliveryPolicyOf({ delivery, caps }: DeliveryRun, dir: string): Policy<DeliveryMemo> {
  const { input, plan, agent } = delivery
  const terms = {
    plans: plansOf(dir),
    first: plan.sha256,
    agent: agent.name,
    runCommands: input.verification.run_commands.length,
    tampering: input.policy.tampering,
  }
  return deliveryPolicy(terms, caps)
}

function compose(_original: DeliveryRun, tools: Tools<DeliveryRun>): Composed<DeliveryMemo> {
  const { place, current: request, dir, shell, artifacts, onProgress } = tools
  const { workspace, run_id: run } = request
  const { agent, silenceMs } = request.delivery
  const plans = plansOf(dir)
  const env = environmentOf(tools)
  const work = deliveryWork(request.delivery, {
    agent: openAgent(tools, agent, silenceMs),
    shell,
    artifacts,
    snapshots: createSnapshots({ folder: workspace, env: place.env, capture, ownFolders: [dir] }),
    repository: openRepository(place, workspace),
    plans,
    run,
    workspace,
    env,
    fileOf: (path) => join(dir, path),
    watch: async (commands) => watchFiles({ workspace, dir, commands }),
    missingProgram: (command) => missingProgram(command, workspace, env.PATH ?? ''),
    mask: maskOf(secretsOf(request, place)),
    writePage: (path, text) => writeQuietly(join(dir, path), text),
    onProgress,
  })
  const sandbox = tools.confined ? 'bubblewrap' : 'none'
  return {
    work,
    projection: { onSaved: () => {}, onLeft: () => {} },
    resultOf: (left, signal) => {
      const plan = plans.get(left.view.memo.plan)!
      return deliveryResult({ run, plan, left, exit: exitOf(deliveryReasons, left, signal), sandbox })
    },
  }
}

/** Whole texts at once. */
function maskOf(secrets: readonly string[]): (text: string) => string {
  const newMask = createMaskFactory(secrets)
  return (text) => {
    const mask = newMask()
    return Buffer.concat([mask.write(Buffer.from(text)), mask.end()]).toString('utf8')
  }
}

/** The journal and the content beside it say the same. */
function writeQuietly(path: string, text: string): void {
  try {
    writeWhole(realDisk, path, text)
  } catch {}
}
