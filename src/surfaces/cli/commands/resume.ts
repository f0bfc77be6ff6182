import { forgetLimit } from '../../../machine/shared-limit.ts'
import { uncommittedNotice } from '../../../modes/delivery/start/uncommitted.ts'
import { driveRefinement } from '../../../modes/refinement/cli/drive-refinement.ts'
import { refinementCaps } from '../../../modes/refinement/show/bounds.ts'
import { amendRun } from '../../../run/amend-run.ts'
import { person, refuseIfJournalLost, sendBefore } from '../../../run/continue-run.ts'
import { findRun } from '../../../run/find-run.ts'
import { readFrozenRequest } from '../../../run/frozen-request.ts'
import { checkFrozenTrust } from '../../../run/frozen-trust.ts'
import type { RunEntry } from '../../../run/index-of-runs.ts'
import { bindMode, commandsIn, preflight } from '../../../run/modes.ts'
import { postNote } from '../../../run/post-note.ts'
import { readRun } from '../../../run/read-run.ts'
import { capsFromFlags, contextFromFlags } from '../../../run/request.ts'
import { detach } from '../../terminal/detach.ts'
import { drive } from '../../terminal/drive.ts'
import type { Handler } from '../command.ts'

/** What a run was started with is frozen: going on reads no configuration, only flags. */
export const handle: Handler = async (invocation) => {
  const { place, args, options, io } = invocation
  const found = findRun(place, args[0], 'act')
  const { id, dir, name } = found
  const here = { ...place, cwd: found.workspace }
  checkFrozenTrust(here, found, options.trust === true)
  const isRefinement = readFrozenRequest(dir).current.mode === 'refinement'
  const caps = isRefinement ? refinementCaps(capsFromFlags(options)) : capsFromFlags(options)
  if (options.now === true) {
    for (const { name: agent } of commandsIn(readFrozenRequest(dir).current).agents) forgetLimit(here, agent)
  }
  if (options.now === true && readRun(dir).owner) return skipWait(found, invocation)
  const takeOver = options.takeOver === true
  const { current } = readFrozenRequest(dir)
  const lease = await bindMode(current).use((mode, own) => mode.hold(here, found, own, takeOver))
  try {
    refuseIfJournalLost(found)
    preflight(here, readFrozenRequest(dir).current)
    const context = contextFromFlags(options.context, process.cwd())
    const changes = await amendRun(here, found, options, context)
    for (const change of changes) io.err(`${place.name}: ${change}`)
    // What another agent has to wait for is not what this one had to.
    const another =
      changes.length > 0 && [options.agent, options.aiCmd, options.model].some((word) => word !== undefined)
    await sendBefore(found, { caps, skipWait: options.now === true || another })
    if (options.detach) {
      lease.release()
      const given = [...(readRun(dir).state.ended ? boundFlags(options) : []), ...(takeOver ? ['--take-over'] : [])]
      return await detach({ ...invocation, place: here }, ['resume', found.id, '--trust', ...given], () => [found])
    }
    const isDelivery = readFrozenRequest(dir).current.mode === 'delivery'
    const uncommitted = isDelivery ? await uncommittedNotice(here, found.workspace) : undefined
    if (uncommitted) io.err(`${place.name}: ${uncommitted}`)
    const driving = isRefinement ? driveRefinement : drive
    return await driving({ ...invocation, place: here }, { id, dir, name, reopen: { caps }, takeOver })
  } finally {
    lease.release()
  }
}

/** An open run gets its new bounds as a note; one that has ended gets them from whoever reopens it. */
const boundFlags = (options: Readonly<Record<string, unknown>>): string[] =>
  Object.entries({
    maxIterations: '-n',
    maxTime: '--max-time',
    maxCost: '--max-cost',
    maxTokens: '--max-tokens',
  }).flatMap(([name, flag]) => (typeof options[name] === 'string' ? [flag, options[name]] : []))

/** Somebody runs it already and waits: that one is told to go on. */
async function skipWait(run: RunEntry, { io }: Parameters<Handler>[0]): Promise<0> {
  const note = await postNote(run, { by: person(), say: 'skip-wait' })
  io.result({ run: run.id, note }, () => [`${run.name} is told not to wait any longer.`])
  return 0
}
