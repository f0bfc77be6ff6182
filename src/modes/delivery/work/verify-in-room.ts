import type { FailedCommand } from '../../../judging/commands.ts'
import type { Room } from '../../../ports/room.ts'
import type { Tree } from '../../../ports/snapshots.ts'
import type { Verification } from '../contract/input.ts'
import type { OtherRun } from '../contract/result.ts'
import { listTests } from '../core/evidence/alter-tests.ts'
import { isNamed, turnedGreen } from '../core/evidence/compare-ids.ts'
import { namesFile } from '../core/evidence/findings.ts'
import { isManifest } from '../core/evidence/parts.ts'
import { findRole } from '../core/evidence/roles.ts'
import type { TestIds } from '../core/evidence/test-ids.ts'
import type { createFailures } from './fail.ts'
import type { RanCommands } from './run-commands.ts'
import type { DeliveryTools } from './tools.ts'
import { findUnkept, isLate, timeIsUp, unavailable, type Verified, type Verifying } from './verify.ts'
import { OutOfTimeError, weighStory } from './weigh.ts'
import type { ControlRun, Weighing } from './weighing.ts'

type RoomTools = Pick<DeliveryTools, 'snapshots' | 'plans' | 'findTouched'> & {
  readonly room: Room
  /** The output of the command that failed before the story. */
  readonly readSaid: (verifying: Verifying) => Promise<string>
}

/** Verifies the tree of an attempt in the clean room. If its commands are green, weighs what that shows. */
export function createRoomVerifier(
  verification: Verification,
  { snapshots, room, plans, findTouched, readSaid }: RoomTools,
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
    const ownRed = verified.tolerated ? await findOwnRed(verifying, verified.ids!) : []
    if (ownRed.length > 0)
      return commandFailed(verifying, verified.failed!, {
        ...more,
        hint: `; tests of this story: ${listNames(ownRed)}`,
      })
    const unkept = await findUnkept(snapshots, verifying)
    if (unkept !== undefined) return fail(verifying, { by: 'unkept', says: unkept }, more)
    let problem: FailedCommand | undefined
    const weighing = await startWeighing(verifying, verified, (failed) => {
      problem = failed
    })
    const { weighed, runs, failed } = await weighStory(snapshots, weighing)
    if (problem) return unavailable(problem)
    // A run that was cut short shows nothing.
    if (signal.aborted && !isLate(signal)) return fail(verifying, { by: 'time', says: timeIsUp }, more)
    const made = runs.length > 0 && { runs: fitRuns(runs) }
    const red = verified.tolerated && { red: summarizeRed(verified.ids!) }
    const isGreen = verified.failed === undefined
    return { weighed, settled: tree, isGreen, failed, more: { ...more, ...made, ...red } }
  }

  /**
   * Finds red tests of the story itself: those in test files that only this story names. In a file that others name too, one test must have turned
   * green.
   */
  async function findOwnRed({ view, story, tree, before }: Verifying, ids: TestIds): Promise<readonly string[]> {
    const others = (plans.get(view.memo.plan)?.stories ?? []).filter(({ id }) => id !== story.id)
    const isNamedTest = (path: string): boolean =>
      findRole(path, verification.tests) === 'test' && namesFile(story, path)
    const texts = await snapshots.readAll(tree, (await snapshots.list(tree)).filter(isNamedTest))
    const turned = before.ids ? turnedGreen(before.ids, ids) : new Set<string>()
    return [...texts].flatMap(([path, text]) => {
      const names = listTests(path, text)
      const isIn = (id: string): boolean => id.includes(path) || names.some((name) => isNamed(id, name))
      const isSolved = others.some((other) => namesFile(other, path)) && [...turned].some(isIn)
      return isSolved ? [] : [...ids.failed].filter(isIn)
    })
  }

  async function startWeighing(
    verifying: Verifying,
    verified: RanCommands,
    onExhausted: (failed: FailedCommand) => void,
  ): Promise<Weighing> {
    const { a, base, tree, before, story, commands, signal, run } = verifying
    const touched = await findTouched({ base, tree, commands: story.verification })
    const turned = before.ids && verified.ids && turnedGreen(before.ids, verified.ids)
    const isStillRed = verified.tolerated && turned?.size === 0
    const tolerate = verified.tolerated ? tolerable(verified.ids, before.ids) : undefined
    const isOthers = (command?: string): boolean =>
      command !== undefined && commands.includes(command) && !story.verification.includes(command)
    const runOther = async (name: string, on: Tree, control?: ControlRun) => {
      // The commands are green: that the time is up must not cost the story its verdict.
      const leftMs = a.left().ms - reserveMs
      if (leftMs < verified.ms) throw new OutOfTimeError()
      const limitMs = Math.min(leftMs, control ? 3 * verified.ms + slackMs : Infinity)
      const ran = await run(name, on, {
        // Commands of other stories may mind an altered test, unless one of them runs it.
        commands: control && !isOthers(control.only) ? story.verification : commands,
        limitMs,
        tolerate,
        ...control,
      })
      const isCut = limitMs === leftMs && ran.failed?.exit.status === 'timed-out'
      if (isCut || isLate(signal)) throw new OutOfTimeError()
      if (ran.failed?.exit.exhausted) onExhausted(ran.failed)
      const { stdoutTail = '', stderrTail = '', code } = ran.failed?.exit ?? {}
      const red = ran.failed !== undefined && !ran.tolerated
      return {
        red,
        failed: ran.failed?.command,
        problem: ran.failed,
        ids: ran.ids,
        said: stdoutTail + stderrTail,
        code,
      }
    }
    return {
      base,
      tree,
      // A suite that is red for the sake of other stories counts as green, unless this story turns a test of it green.
      before: { ...before, red: before.red && !isStillRed },
      isStillRed,
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

const listNames = (names: readonly string[]): string =>
  names.slice(0, 3).join(', ').slice(0, 200) + (names.length > 3 ? ` and ${names.length - 3} more` : '')

const summarizeRed = ({ failed }: TestIds) => ({
  count: failed.size,
  tests: [...failed].slice(0, 5).map((name) => name.slice(0, 100)),
})

const maxRunsInEvent = 16
const fitRuns = (runs: readonly OtherRun[]): readonly OtherRun[] => runs.slice(0, maxRunsInEvent)
