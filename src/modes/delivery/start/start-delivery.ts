import { join } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import type { DeliveryRun } from '../../../contract/request.ts'
import { readFrozenRequest } from '../../../run/frozen-request.ts'
import { listRuns, type RunEntry, registerRun } from '../../../run/index-of-runs.ts'
import { preflight } from '../../../run/modes.ts'
import { type Place, runsDir } from '../../../run/paths.ts'
import { ignoreInGit } from '../../../run/start-run.ts'
import type { RunInput } from '../contract/input.ts'
import { planText } from '../core/planner/story.ts'
import type { Drafted } from './deliver.ts'
import { keepBefore, type Prepared } from './execute.ts'
import { keepPlan, openOutDir } from './open-out-dir.ts'
import { ownRepository } from './own-repository.ts'
import { checkAuthor, checkRepository } from './preconditions.ts'
import { deliveryRequest } from './request.ts'

export type Start = Pick<DeliveryRun, 'notify' | 'bell'> & {
  readonly silenceMs?: number | undefined
  readonly fresh: boolean
}

/** Goes on with the last delivery of this PRD, or begins one. What that run has verified stays done. */
export async function startDelivery(here: Place, drafted: Drafted, start: Start): Promise<Prepared> {
  const { plan, name, agent, caps, origins, commit, author } = drafted
  const { fresh, ...told } = start
  const earlier = fresh ? undefined : earlierDelivery(here, drafted)
  const input = { ...drafted.input, run_id: earlier?.id ?? drafted.input.run_id }
  const lease = ownRepository(here.cwd)
  try {
    // What an unfinished run has left in the work tree is its own.
    const dirty = earlier ? 'include' : input.policy.dirty
    await checkRepository(here, { ...input, policy: { ...input.policy, dirty } })
    if (commit) await checkAuthor(here, here.cwd, author)
    const text = planText(plan)
    const dir = earlier?.dir ?? join(runsDir(here), input.run_id)
    const ref = await keepPlan(dir, text)
    ignoreInGit(runsDir(here))
    const more = { name, caps, origins, commit, author, ...told }
    const request = deliveryRequest({ place: here, input, plan: ref, agent: agent!, more })
    preflight(here, request)
    const opened = await openOutDir(dir, request, text, { insist: true })
    if (opened.created && dirty === 'snapshot') await keepBefore(here, here.cwd, { run: input.run_id, dir })
    const created = earlier?.created ?? request.created
    const { currentHash } = readFrozenRequest(dir)
    registerRun(here, { id: input.run_id, dir, name, workspace: here.cwd, created, request: currentHash })
    return { ...opened, id: input.run_id, dir, name, workspace: here.cwd, lease }
  } catch (error) {
    lease.release()
    throw error
  }
}

/** Only one that this person has started: a repository could bring a run of its own, with commands of its own. */
function earlierDelivery(here: Place, { name, input }: Drafted): RunEntry | undefined {
  for (const run of listRuns(here)) {
    if (run.name !== name || run.workspace !== here.cwd || run.request === undefined) continue
    const before = inputOf(run)
    if (before?.prd_path !== input.prd_path) continue
    if (before.working_branch === input.working_branch) return run
    const what = `the delivery of ${input.prd_path} is on the branch ${before.working_branch}, and this is ${input.working_branch}`
    throw new PawlError(10, what, `git switch ${before.working_branch}, or begin anew here: --fresh`)
  }
  return undefined
}

function inputOf(run: RunEntry): RunInput | undefined {
  try {
    const { current, currentHash } = readFrozenRequest(run.dir)
    return current.mode === 'delivery' && currentHash === run.request ? current.delivery.input : undefined
  } catch {
    return undefined
  }
}
