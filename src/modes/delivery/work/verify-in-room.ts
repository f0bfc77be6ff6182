import type { FailedCommand } from '../../../judging/commands.ts'
import type { Room } from '../../../ports/room.ts'
import type { Tree } from '../../../ports/snapshots.ts'
import type { Verification } from '../contract/input.ts'
import type { OtherRun } from '../contract/result.ts'
import { turnedGreen } from '../core/evidence/compare-ids.ts'
import { namesFile } from '../core/evidence/findings.ts'
import { isManifest } from '../core/evidence/parts.ts'
import type { TestIds } from '../core/evidence/test-ids.ts'
import type { createFailures } from './fail.ts'
import type { RanCommands } from './run-commands.ts'
import type { DeliveryTools } from './tools.ts'
import { findUnkept, isLate, timeIsUp, unavailable, type Verified, type Verifying } from './verify.ts'
import { OutOfTimeError, weighStory } from './weigh.ts'
import type { ControlRun, Weighing } from './weighing.ts'

type RoomTools = Pick<DeliveryTools, 'snapshots' | 'findTouched'> & {
  readonly room: Room
  /** The output of the command that failed before the story. */
  readonly readSaid: (verifying: Verifying) => Promise<string>
}

/** Verifies the tree of an attempt in the clean room. If its commands are green, weighs what that shows. */
export function createRoomVerifier(
  verification: Verification,
  { snapshots, room, findTouched, readSaid }: RoomTools,
  { fail, commandFailed }: ReturnType<typeof createFailures>,
): (verifying: Verifying) => Promise<Verified> {
  const place = room.means === 'overlay' ? 'clean_room' : 'clean_room_copy'

  return async (verifying) => {
    const { base, tree, before, signal, run } = verifying
    const more = { left: tree, place } as const
    const verified = await run('verify', tree, { tolerate: before.ids })
    if (verified.failed?.exit.exhausted) return unavailable(verified.failed)
    if (verified.failed && !verified.tolerated) {
      const hint = (await hintAtSetup(base, tree)) + hintAtResults(verified)
      const given = { isLate: isLate(signal), ...more, ...(await listMissing()), hint }
      return commandFailed(verifying, verified.failed, given)
    }
    const unkept = await findUnkept(snapshots, verifying)
    if (unkept !== undefined) return fail(verifying, { by: 'unkept', says: unkept }, more)
    let problem: FailedCommand | undefined
    const weighing = await startWeighing(verifying, verified, (failed) => {
      problem = failed
    })
    const { weighed, runs } = await weighStory(snapshots, weighing)
    if (problem) return unavailable(problem)
    // A run that was cut short shows nothing.
    if (signal.aborted && !isLate(signal)) return fail(verifying, { by: 'time', says: timeIsUp }, more)
    const made = runs.length > 0 && { runs: fitRuns(runs) }
    return { weighed, settled: tree, isGreen: verified.failed === undefined, more: { ...more, ...made } }
  }

  async function startWeighing(
    verifying: Verifying,
    verified: RanCommands,
    onExhausted: (failed: FailedCommand) => void,
  ): Promise<Weighing> {
    const { a, base, tree, before, story, commands, signal, run } = verifying
    const touched = await findTouched({ base, tree, commands: story.verification })
    const turned = before.ids && verified.ids && turnedGreen(before.ids, verified.ids)
    const tolerate = verified.tolerated ? tolerable(verified.ids, before.ids) : undefined
    const runOther = async (name: string, on: Tree, control?: ControlRun) => {
      // The commands are green: that the time is up must not cost the story its verdict.
      const leftMs = a.left().ms - reserveMs
      if (leftMs < verified.ms) throw new OutOfTimeError()
      const limitMs = Math.min(leftMs, control ? 3 * verified.ms + slackMs : Infinity)
      const ran = await run(name, on, {
        commands: control ? story.verification : commands,
        limitMs,
        tolerate,
        ...control,
      })
      const isCut = limitMs === leftMs && ran.failed?.exit.status === 'timed-out'
      if (isCut || isLate(signal)) throw new OutOfTimeError()
      if (ran.failed?.exit.exhausted) onExhausted(ran.failed)
      const { stdoutTail = '', stderrTail = '', code } = ran.failed?.exit ?? {}
      const red = ran.failed !== undefined && !ran.tolerated
      return { red, failed: ran.failed?.command, ids: ran.ids, said: stdoutTail + stderrTail, code }
    }
    return {
      base,
      tree,
      // A suite that is red for the sake of other stories counts as green, unless this story turns a test of it green.
      before: { ...before, red: before.red && !(verified.tolerated && turned?.size === 0) },
      now: { red: false, ids: verified.ids, isPartial: verified.tolerated },
      ms: verified.ms,
      said: await readSaid(verifying),
      touched,
      named: touched.every(({ path }) => namesFile(story, path)),
      tests: verification.tests ?? [],
      commands,
      run: runOther,
    }
  }

  /** Names ignored files of the work tree that the room does not have: a test may need them. */
  async function listMissing(): Promise<{ readonly missing?: readonly string[] }> {
    const ignored = await snapshots.listIgnored()
    const missing = ignored.filter((path) => !room.had(path) && !isCache.test(path)).slice(0, maxMissing)
    return missing.length > 0 ? { missing } : {}
  }

  /** Without `setup`, the room has the dependencies of the start. */
  async function hintAtSetup(base: Tree, tree: Tree): Promise<string> {
    if (verification.setup?.length) return ''
    const changed = (await snapshots.difference(base, tree)).files.find(({ path }) => isManifest(path))
    return changed ? `; ${changed.path} changed, and no setup command installs new dependencies` : ''
  }

  function hintAtResults({ ids }: RanCommands): string {
    const { results } = verification
    return results === undefined || ids ? '' : `; no results of single tests were found (results: ${results})`
  }
}

/** Tests that came with the story are not there in every tree. */
function tolerable(now: TestIds | undefined, before: TestIds | undefined): TestIds | undefined {
  const known = before?.passed.union(before.failed)
  return now && { ...now, passed: now.passed.intersection(known ?? now.passed) }
}

const slackMs = 10_000
/** For what a run does after its commands, such as removing what they wrote. */
const reserveMs = 3_000
const maxMissing = 10
/** Nobody's tests need them from one run to the next. */
const isCache = /(?:^|\/)(?:node_modules|__pycache__|target|\.[^/]*|[^/]*\.(?:log|pyc|tmp))\/?(?:$|\/)/

const maxRunsInEvent = 16
const fitRuns = (runs: readonly OtherRun[]): readonly OtherRun[] => runs.slice(0, maxRunsInEvent)
