import type { Verdict } from '../../../contract/event.ts'
import type { Ref } from '../../../contract/values.ts'
import type { CommandTools } from '../../../judging/commands.ts'
import type { Attempt } from '../../../kernel/run.ts'
import type { Tree } from '../../../ports/snapshots.ts'
import type { Story } from '../contract/plan.ts'
import type { DeliveryRequest } from '../contract/request.ts'
import type { Tampering } from '../contract/result.ts'
import { attemptData, type VerdictData } from '../core/event-data.ts'
import { readTestResults } from '../core/evidence/test-ids.ts'
import { type Ran, sameTree, type Weighed } from '../core/evidence/weigh.ts'
import { type DeliveryMemo, findStoryMemo, fingerprintCommands } from '../core/memo.ts'
import { formatTampering } from './check-tampering.ts'
import { createFailures, type Judged, type Judgement } from './fail.ts'
import { restoreChecks } from './restore.ts'
import type { RunCommands } from './run-commands.ts'
import type { DeliveryTools } from './tools.ts'
import { type Run, timeIsUp, type Verifying } from './verify.ts'
import { createPlaceVerifier } from './verify-in-place.ts'
import { createRoomVerifier } from './verify-in-room.ts'
import { outOfTime } from './weigh.ts'

type JudgeParts = {
  readonly commandTools: (a: Attempt, what: string) => CommandTools
  readonly runCommands: RunCommands
}

/** Judges attempts by facts: the time limit, changed files, then the commands in order, and what these show. */
export function createJudge(request: DeliveryRequest, tools: DeliveryTools, { commandTools, runCommands }: JudgeParts) {
  const { snapshots, content, room } = tools
  const { policy, limits } = request.input
  const failures = createFailures(request, tools)
  const { fail, criticise } = failures
  const readSaid = ({ view, story }: Verifying): Promise<string> => readText(findStoryMemo(view.memo, story.id).said)
  const verifyInRoom = room && createRoomVerifier(request.input.verification, { ...tools, room, readSaid }, failures)
  const verifyInPlace = createPlaceVerifier(policy, tools, failures)

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
    const verifying = { ...about, base, tree: data.tree!, before, run, signal }
    const verified = verifyInRoom ? await verifyInRoom(verifying) : await verifyInPlace({ ...verifying, touched })
    if ('verdict' in verified) return verified
    const { more, settled, isGreen, failed } = verified
    const weighed = refuseRewritten(verified.weighed)
    if ('refused' in weighed) {
      const restored = weighed.restore ? await restoreChecks({ base, story, tools }) : []
      const left = restored.length > 0 ? { left: await snapshots.take() } : {}
      const judgement = await fail(
        about,
        { by: 'evidence', says: weighed.refused, restored, failed },
        { ...more, ...left },
      )
      return { ...judgement, elsewhere: failed }
    }
    return accept(about, { weighed, settled, isGreen, more, touched })
  }

  function refuseRewritten(weighed: Weighed): Weighed {
    if (policy.tampering !== 'block' || 'refused' in weighed || weighed.evidence !== 'rewritten') return weighed
    return { refused: weighed.because ?? onlyRewritten, restore: true }
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

const onlyRewritten =
  'its commands pass only with tests or settings that it changed itself; with those from before the story they fail'

/** Findings that are not about files of the tree: hooks and settings of git, the result. */
const isOutside = (kind: Tampering['kind']): boolean => kind === 'hook-planted' || kind === 'result-faked'
