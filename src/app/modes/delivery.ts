import { join } from 'node:path'
import { realDisk, writeWhole } from '../../adapters/files/disk.ts'
import { createSnapshots } from '../../adapters/git/snapshots/snapshots.ts'
import { capture } from '../../adapters/shell/capture.ts'
import { createMaskFactory } from '../../adapters/shell/mask.ts'
import type { DeliveryRun } from '../../contract/request.ts'
import type { Policy, View } from '../../kernel/policy.ts'
import type { Work } from '../../kernel/run.ts'
import type { DeliveryMemo } from '../../modes/delivery/memo.ts'
import { deliveryPolicy } from '../../modes/delivery/policy.ts'
import { deliveryResult } from '../../modes/delivery/result.ts'
import { deliveryWork } from '../../modes/delivery/work.ts'
import { missingProgram } from '../delivery/missing-program.ts'
import { plansOf } from '../delivery/plans.ts'
import { watchFiles } from '../delivery/watch.ts'
import { exitOf } from '../exit-of.ts'
import { openRepository } from '../open-repository.ts'
import { secretsOf } from '../open-shell.ts'
import { environmentOf, openAgent } from './agent.ts'
import type { Mode, Tools } from './mode.ts'

export function deliveryPolicyOf({ delivery, caps }: DeliveryRun, dir: string): Policy<unknown> {
  const { input, plan, agent } = delivery
  const terms = {
    plans: plansOf(dir),
    first: plan.sha256,
    agent: agent.name,
    runCommands: input.verification.run_commands.length,
    tampering: input.policy.tampering,
  }
  return deliveryPolicy(terms, caps) as unknown as Policy<unknown>
}

export function composeDelivery(original: DeliveryRun, tools: Tools<DeliveryRun>): Mode {
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
    policy: deliveryPolicyOf(original, dir),
    work: work as unknown as Work<unknown>,
    projection: { onSaved: () => {}, onLeft: () => {} },
    resultOf: (left, signal) => {
      const view = left.view as View<DeliveryMemo>
      const plan = plans.get(view.memo.plan)!
      return deliveryResult({ run, plan, left: { ...left, view }, exit: exitOf(left, signal), sandbox })
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
