import type { Verdict } from '../../../contract/event.ts'
import type { Ref } from '../../../contract/values.ts'
import type { CommandTools, FailedCommand } from '../../../judging/commands.ts'
import type { Attempt } from '../../../kernel/run.ts'
import type { Tree } from '../../../ports/snapshots.ts'
import type { Story } from '../contract/plan.ts'
import type { DeliveryRequest } from '../contract/request.ts'
import type { OtherRun, Tampering } from '../contract/result.ts'
import { attemptData, type VerdictData } from '../core/event-data.ts'
import { turnedGreen } from '../core/evidence/compare-ids.ts'
import { namesFile } from '../core/evidence/findings.ts'
import { isManifest } from '../core/evidence/parts.ts'
import { readTestResults, type TestIds } from '../core/evidence/test-ids.ts'
import type { Ran, Weighed } from '../core/evidence/weigh.ts'
import { type DeliveryMemo, findStoryMemo, fingerprintCommands } from '../core/memo.ts'
import { findTamperingSince, fitIntoEvent, formatTampering } from './check-tampering.ts'
import type { ControlRun } from './control.ts'
import { createFailures, type Judged, type Judgement } from './fail.ts'
import { restoreChecks } from './restore.ts'
import type { RanCommands, RunCommands } from './run-commands.ts'
import type { DeliveryTools } from './tools.ts'
import { findUnkept, maxRuns, summarizePaths, verifyUntilStable } from './verify.ts'
import { OutOfTimeError, outOfTime, sameTree, weighStory } from './weigh.ts'

type JudgeParts = {
  readonly commandTools: (a: Attempt, what: string) => CommandTools
  readonly runCommands: RunCommands
}

/** Judges attempts by facts: the time limit, changed files, then the commands in order, and what these show. */
export function createJudge(request: DeliveryRequest, tools: DeliveryTools, { commandTools, runCommands }: JudgeParts) {
  const { snapshots, content, room } = tools
  const { policy, limits } = request.input
  const { fail, commandFailed, criticise } = createFailures(request, tools)
  const place = room === undefined ? 'work_tree' : room.means === 'overlay' ? 'clean_room' : 'clean_room_copy'

  return async function judge(about: Judged, signal: AbortSignal): Promise<Judgement> {
    const { view, story } = about
    const { outcome } = view.state
    const data = attemptData(outcome)
    const base = findStoryMemo(view.memo, story.id).base ?? data.before!
    const touched = (data.tampering ?? []).filter(({ expected, kind }) => !expected && (!room || isOutside(kind)))
    const blocks = policy.tampering === 'block' && touched.length > 0
    // Also after a timeout: the next story would take the changes for the original state.
    if (blocks) await restoreChecks({ base, story, tools })
    const untested = { left: blocks ? await snapshots.take() : data.tree! }
    if (outcome?.status === 'timed-out') {
      const says = outcome.detail === 'timed-out' ? undefined : outcome.detail
      return fail(about, { by: 'time', says: says ?? timeIsUp }, untested)
    }
    if (blocks) return fail(about, { by: 'tampering', tampering: touched, says: formatTampering(touched) }, untested)
    const before = await readBefore(view.memo, story)
    const run: Run = (name, tree, { commands = about.commands, limitMs = Infinity, tolerate, ...control } = {}) => {
      const endMs = performance.now() + limitMs
      const toolsFor = (what: string): CommandTools => {
        const own = commandTools(about.a, what)
        const leftMs = (): number => Math.min(own.leftMs(), endMs - performance.now())
        const onProgress: CommandTools['onProgress'] = (progress) =>
          own.onProgress?.(name === 'verify' ? progress : { ...progress, says: `${progress.says} (${name})` })
        return { ...own, leftMs, onProgress }
      }
      const reads = control.only ?? before.failed
      const format = reads === before.failed ? before.ids?.format : undefined
      return runCommands({ name, tree, commands, toolsFor, before: tolerate, reads, format, ...control }, signal)
    }
    const verified = room
      ? await verifyInRoom(about, { base, before, signal, run })
      : await verifyInPlace(about, { base, touched, signal, run })
    if ('verdict' in verified) return verified
    const { more, settled, weighed, isGreen } = verified
    if ('refused' in weighed) {
      const restored = weighed.restore ? await restoreChecks({ base, story, tools }) : []
      const left = restored.length > 0 ? { left: await snapshots.take() } : {}
      return fail(about, { by: 'evidence', says: weighed.refused, restored }, { ...more, ...left })
    }
    return accept(about, { weighed, settled, isGreen, more, touched })
  }

  type Before = { readonly base: Tree; readonly before: Ran; readonly signal: AbortSignal; readonly run: Run }
  /** `tolerate`: tests that failed in this run may fail again. */
  type RunOptions = ControlRun & {
    readonly commands?: readonly string[]
    readonly limitMs?: number
    readonly tolerate?: TestIds | undefined
  }
  type Run = (name: string, tree: Tree, options?: RunOptions) => Promise<RanCommands>
  type Verified =
    | Judgement
    | {
        readonly weighed: Weighed
        readonly settled: Tree
        /** False if tests of other stories are red. */
        readonly isGreen: boolean
        readonly more: VerdictData & { readonly left: Tree }
      }

  async function verifyInRoom(about: Judged, { base, before, signal, run }: Before): Promise<Verified> {
    const { view, story } = about
    const tree = attemptData(view.state.outcome).tree!
    const more = { left: tree, place } as const
    const verified = await run('verify', tree, { tolerate: before.ids })
    if (verified.failed?.exit.exhausted) return unavailable(verified.failed)
    if (verified.failed && !verified.tolerated) {
      const hint = (await hintAtSetup(base, tree)) + hintAtResults(verified)
      return commandFailed(about, verified.failed, { isLate: isLate(signal), ...more, ...(await listMissing()), hint })
    }
    const unkept = await failUnkept(about, base, more)
    if (unkept) return unkept
    const touched = await tools.findTouched({ base, tree, commands: story.verification })
    let problem: FailedCommand | undefined
    const turned = before.ids && verified.ids && turnedGreen(before.ids, verified.ids)
    // Tests that came with the story are not there in every tree.
    const known = before.ids?.passed.union(before.ids.failed)
    const ids = verified.ids && {
      ...verified.ids,
      passed: verified.ids.passed.intersection(known ?? verified.ids.passed),
    }
    const { weighed, runs } = await weighStory(snapshots, {
      base,
      tree,
      // A suite that is red for the sake of other stories counts as green, unless this story turns a test of it green.
      before: { ...before, red: before.red && !(verified.tolerated && turned?.size === 0) },
      now: { red: false, ids: verified.ids, isPartial: verified.tolerated },
      said: await readText(findStoryMemo(view.memo, story.id).said),
      touched,
      named: touched.every(({ path }) => namesFile(story, path)),
      tests: request.input.verification.tests ?? [],
      commands: about.commands,
      run: async (name, on, control) => {
        // The commands are green: that the time is up must not cost the story its verdict.
        const leftMs = about.a.left().ms - reserveMs
        if (leftMs < verified.ms) throw new OutOfTimeError()
        const limitMs = Math.min(leftMs, control ? 3 * verified.ms + slackMs : Infinity)
        const tolerate = verified.tolerated ? ids : undefined
        const commands = control ? story.verification : about.commands
        const ran = await run(name, on, { commands, limitMs, tolerate, ...control })
        const isCut = limitMs === leftMs && ran.failed?.exit.status === 'timed-out'
        if (isCut || isLate(signal)) throw new OutOfTimeError()
        if (ran.failed?.exit.exhausted) problem = ran.failed
        const { stdoutTail = '', stderrTail = '', code } = ran.failed?.exit ?? {}
        const red = ran.failed !== undefined && !ran.tolerated
        return { red, failed: ran.failed?.command, ids: ran.ids, said: stdoutTail + stderrTail, code }
      },
    })
    if (problem) return unavailable(problem)
    // A run that was cut short shows nothing.
    if (signal.aborted && !isLate(signal)) return fail(about, { by: 'time', says: timeIsUp }, more)
    const isGreen = verified.failed === undefined
    const made = runs.length > 0 && { runs: fitRuns(runs) }
    return { weighed: refuseRewritten(weighed), settled: tree, isGreen, more: { ...more, ...made } }
  }

  function refuseRewritten(weighed: Weighed): Weighed {
    if (policy.tampering !== 'block' || 'refused' in weighed || weighed.evidence !== 'rewritten') return weighed
    return { refused: weighed.because ?? onlyRewritten, restore: true }
  }

  /** Names ignored files of the work tree that the room does not have: a test may need them. */
  async function listMissing(): Promise<{ readonly missing?: readonly string[] }> {
    const ignored = await snapshots.listIgnored()
    const missing = ignored.filter((path) => !room!.had(path) && !isCache.test(path)).slice(0, maxMissing)
    return missing.length > 0 ? { missing } : {}
  }

  /** Without `setup`, the room has the dependencies of the start. */
  async function hintAtSetup(base: Tree, tree: Tree): Promise<string> {
    if (request.input.verification.setup?.length) return ''
    const changed = (await snapshots.difference(base, tree)).files.find(({ path }) => isManifest(path))
    return changed ? `; ${changed.path} changed, and no setup command installs new dependencies` : ''
  }

  function hintAtResults({ ids }: RanCommands): string {
    const { results } = request.input.verification
    return results === undefined || ids ? '' : `; no results of single tests were found (results: ${results})`
  }

  type InPlace = {
    readonly base: Tree
    readonly touched: readonly Tampering[]
    readonly signal: AbortSignal
    readonly run: Run
  }

  async function verifyInPlace(about: Judged, { base, touched, signal, run }: InPlace): Promise<Verified> {
    const { a, view, story } = about
    const start = attemptData(view.state.outcome).tree!
    const { churn, before } = findStoryMemo(view.memo, story.id)
    const watched = await tools.watch(story.verification)
    const runAll = async (name: string): Promise<FailedCommand | undefined> => (await run(name, start)).failed
    const { failed, tree, moved, settled } = await verifyUntilStable(snapshots, { start, churn }, runAll)
    if (failed?.exit.exhausted) return unavailable(failed)
    if (settled !== undefined) await snapshots.sync(start, settled)
    const found = await findTamperingSince({ base, from: start, tree, watched, story, tools })
    const meanwhile = fitIntoEvent(found.map((one): Tampering => ({ ...one, attempt: a.attempt })))
    if (meanwhile.length > 0 && policy.tampering !== 'warn') {
      await restoreChecks({ base, story, tools })
      const says = `while it was verified, ${formatTampering(meanwhile)}`
      const left = await snapshots.take()
      return fail(about, { by: 'tampering', tampering: meanwhile, says }, { tampering: meanwhile, left, place })
    }
    const left = { left: tree, place } as const
    if (failed) return commandFailed(about, failed, { isLate: isLate(signal), ...left })
    const changing = `verification itself changed ${moved.slice(0, 3).join(', ')}`
    if (settled === undefined) {
      return fail(about, { by: 'unstable', says: `${changing}, each of the ${maxRuns} times that it ran` }, left)
    }
    const unkept = await failUnkept(about, base, left)
    if (unkept) return unkept
    const isSame = base === start
    const evidence = isSame
      ? 'unproven'
      : touched.length + meanwhile.length > 0
        ? 'rewritten'
        : before === 'red'
          ? 'proven'
          : 'held'
    const because = moved.length > 0 ? { because: changing } : isSame ? { because: sameTree } : {}
    const rewritten = moved.length > 0 && { moved: summarizePaths(moved) }
    const more = { ...left, ...rewritten, ...(meanwhile.length > 0 && { tampering: meanwhile }) }
    return { weighed: { evidence, ...because }, settled, isGreen: true, more }
  }

  async function failUnkept(about: Judged, base: Tree, more: VerdictData): Promise<Judgement | undefined> {
    const says = await findUnkept(snapshots, base, attemptData(about.view.state.outcome).tree!)
    return says === undefined ? undefined : fail(about, { by: 'unkept', says }, more)
  }

  type Accepted = {
    readonly weighed: Exclude<Weighed, { refused: string }>
    readonly settled: Tree
    readonly isGreen: boolean
    readonly more: VerdictData
    readonly touched: readonly Tampering[]
  }

  async function accept(about: Judged, { weighed, settled, isGreen, more, touched }: Accepted): Promise<Judgement> {
    const { evidence, because } = weighed
    const { before, unproven, tries } = findStoryMemo(about.view.memo, about.story.id)
    const { status, detail } = about.view.state.outcome!
    // A command that does not exist must not be taken for an agent that found nothing to do.
    if (because === sameTree && status === 'failed')
      return fail(
        about,
        { by: 'evidence', says: `the agent failed and changed nothing: ${detail ?? 'no detail'}` },
        more,
      )
    const canRetry = policy.retry_unproven && unproven === 0 && tries < limits.story_max_attempts
    const again = policy.strict_evidence || (canRetry && because !== outOfTime)
    if (evidence === 'unproven' && again) {
      const says = `its commands were ${before} before and ${because}, so nothing is proved`
      return fail(about, { by: 'evidence', says }, { evidence, ...more })
    }
    const mark = isGreen && { mark: fingerprintCommands(about.story.verification) }
    const verdict: Verdict = {
      status: 'passed',
      detail: because,
      data: { evidence, tree: settled, ...mark, ...more },
    }
    if (policy.tampering !== 'ask' || (evidence !== 'rewritten' && touched.length === 0)) return { verdict }
    const tampering = (attemptData(about.view.state.outcome).tampering ?? []).filter(({ expected }) => !expected)
    const critique = await criticise(about, { by: 'tampering', tampering, says: formatTampering(tampering) })
    return { verdict: { ...verdict, evidence: await content.put('critique.md', critique) }, critique }
  }

  async function readBefore(memo: DeliveryMemo, { id, verification }: Story): Promise<Ran> {
    const { before, failed, ids } = findStoryMemo(memo, id)
    const text = await readText(ids)
    return {
      red: before === 'red',
      failed: failed === null ? undefined : verification[failed],
      ids: text === '' ? undefined : readTestResults(text),
    }
  }

  async function readText(ref: Ref | null): Promise<string> {
    return ref ? Buffer.from(await content.get(ref)).toString('utf8') : ''
  }
}

const timeIsUp = 'the time for this story or for the whole run is up'
const isLate = (signal: AbortSignal): boolean => signal.aborted && signal.reason === 'timed-out'

const slackMs = 10_000
/** For what a run does after its commands, such as removing what they wrote. */
const reserveMs = 3_000
const maxMissing = 10
/** Nobody's tests need them from one run to the next. */
const isCache = /(?:^|\/)(?:node_modules|__pycache__|target|\.[^/]*|[^/]*\.(?:log|pyc|tmp))\/?(?:$|\/)/

const onlyRewritten =
  'its commands pass only with tests or settings that it changed itself; with those from before the story they fail'

/** Findings that are not about files of the tree: hooks and settings of git, the result. */
const isOutside = (kind: Tampering['kind']): boolean => kind === 'hook-planted' || kind === 'result-faked'

const unavailable = ({ exit }: FailedCommand): Judgement => ({
  verdict: { status: 'unavailable', detail: exit.detail },
})

const maxRunsInEvent = 16
const fitRuns = (runs: readonly OtherRun[]): readonly OtherRun[] => runs.slice(0, maxRunsInEvent)
