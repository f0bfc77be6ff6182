import type { Outcome, Verdict } from '../../../contract/event.ts'
import type { Ref } from '../../../contract/values.ts'
import { type CommandTools, describeExit, type FailedCommand, runUntilFailure } from '../../../judging/commands.ts'
import { findPlea, findPromise } from '../../../judging/promise.ts'
import type { View } from '../../../kernel/policy.ts'
import type { Attempt } from '../../../kernel/run.ts'
import type { Tree } from '../../../ports/snapshots.ts'
import type { Plan, Story } from '../contract/plan.ts'
import type { DeliveryRequest } from '../contract/request.ts'
import type { Tampering } from '../contract/result.ts'
import { type Failure, formatCritique } from '../core/critique.ts'
import { attemptData, type VerdictData } from '../core/event-data.ts'
import { type DeliveryMemo, findStoryMemo, fingerprintCommands } from '../core/memo.ts'
import { formatPage } from '../core/page.ts'
import { composePrompt } from '../core/prompt.ts'
import { findAttemptTampering, findTamperingSince, fitIntoEvent, formatTampering } from './check-tampering.ts'
import { restoreTampered, restoreTree } from './restore.ts'
import { type DeliveryTools, nameAgentFiles } from './tools.ts'
import { findNestedRepository, maxRuns, summarizePaths, verifyUntilStable } from './verify.ts'
import { type RunAll, weighStory } from './weigh.ts'

type StoryParts = {
  readonly commandTools: (a: Attempt, what: string) => CommandTools
  readonly takeBefore: (signal: AbortSignal) => Promise<Tree>
}

/** Works on one story: runs a fresh agent, then the story's commands, then those of finished stories. */
export function createStoryWork(
  request: DeliveryRequest,
  tools: DeliveryTools,
  { commandTools, takeBefore }: StoryParts,
) {
  const { agent, content, snapshots, run, workspace } = tools
  const { policy, limits } = request.input

  async function attempt(a: Attempt, view: View<DeliveryMemo>, signal: AbortSignal): Promise<Outcome> {
    const plan = tools.plans.get(view.memo.plan)!
    const story = plan.stories.find(({ id }) => id === a.task.id)
    if (!story) return { status: 'failed', detail: 'the plan no longer has this story', data: { stale: true } }
    const restored = await restoreBeforeRetry(view, story)
    const before = restored ? await snapshots.take(signal) : await takeBefore(signal)
    const watched = await watchedSince(view.memo, story)
    const packet = composePrompt({
      request,
      plan,
      story,
      memo: view.memo,
      ...(await earlierAttempts(view.memo, story, before)),
      left: a.left(),
      attempt: a.attempt,
    })
    const prompt = await content.put('prompt.md', packet)
    const { costUsd } = a.left()
    const report = await agent.run(
      {
        run,
        task: story.id,
        attempt: a.attempt,
        cwd: workspace,
        prompt: prompt ? { path: await tools.file(prompt) } : { text: packet },
        ...nameAgentFiles(tools.folder, a),
        costUsd: Number.isFinite(costUsd) ? costUsd : undefined,
        onProgress: tools.onProgress,
      },
      signal,
    )
    const { usage, providerMs, log: output, retryAt, exitCode, denied, denials } = report
    const fault = report.fault ?? (report.worked === false && report.status === 'failed' ? 'start' : undefined)
    // An agent that did no work does not count as an attempt.
    const status = fault === 'login' || fault === 'start' ? 'unavailable' : report.status
    const detail = fault === 'start' ? `the agent did no work: ${report.detail ?? 'no detail'}` : report.detail
    const callStatus = status === 'ok' || status === 'unavailable' ? status : 'failed'
    await a.record({ key: 'agent', via: agent.name, status: callStatus, usage, providerMs, output: prompt })
    const tree = await snapshots.take()
    // The journal will name this tree.
    await snapshots.sync(before, tree)
    const base = findStoryMemo(view.memo, story.id).base ?? before
    const found = await findAttemptTampering({ base, tree, watched, story, tools })
    const tampering = fitIntoEvent(found.map((one) => ({ ...one, says: tools.mask(one.says), attempt: a.attempt })))
    const diff = tree === before ? undefined : await keepDiff(before, tree)
    const promise = findPromise(report.lastMessage, packet)
    const plea = promise === 'BLOCKED' ? findPlea(tools.mask(report.lastMessage)) : undefined
    const hints = {
      ...(promise && { promise }),
      ...(plea && { plea }),
      ...(fault && { fault }),
      ...(denied && { denied, ...(denials && { denials }) }),
    }
    const changes = { before, tree, changed: tree !== before, ...(diff && { diff }) }
    return { status, output, detail, retryAt, data: { exitCode, ...changes, ...hints, tampering } }
  }

  /** Collects what a fresh agent needs to know about earlier attempts. */
  async function earlierAttempts(memo: DeliveryMemo, { id }: Story, tree: Tree) {
    const { critique, base } = findStoryMemo(memo, id)
    const files = base && base !== tree ? (await snapshots.difference(base, tree)).files : []
    return { critique: await readText(critique), changed: files.map(({ path }) => path) }
  }

  const readText = async (ref: Ref | null | undefined): Promise<string> =>
    ref ? Buffer.from(await content.get(ref)).toString('utf8') : ''

  let known: { readonly story: string; readonly files: Awaited<ReturnType<DeliveryTools['watch']>> } | undefined
  /**
   * Untracked files cannot be restored. They are compared with their state before the first failed attempt; otherwise the
   * second attempt would be verified by changes of the first.
   */
  async function watchedSince(memo: DeliveryMemo, { id, verification }: Story) {
    const now = await tools.watch(verification)
    const isAccepted = known === undefined || findStoryMemo(memo, known.story).status === 'done'
    const { 'result.json': _, ...files } = isAccepted ? {} : known!.files
    known = { story: id, files: { ...now, ...files } }
    return known.files
  }

  /**
   * Restores files before the next attempt: all with `on_fail: restore`, else only changes that a person refused. Returns
   * false if there was nothing to restore.
   */
  async function restoreBeforeRetry({ memo }: View<DeliveryMemo>, of: Story): Promise<boolean> {
    const story = findStoryMemo(memo, of.id)
    if (policy.on_fail === 'restore' && story.tries > 0 && story.base) {
      const key = `${run}/${of.id}-attempt-${story.lastAttempt}`
      await restoreTree(snapshots, story.base, { key, subject: `${of.id}, attempt ${story.lastAttempt}` })
      return true
    }
    if (!story.refused || !story.base) return false
    await restoreTampered({ base: story.base, story: of, tools })
    return true
  }

  async function keepDiff(from: Tree, to: Tree) {
    const { patch, truncated } = await snapshots.patch(from, to)
    return content.put('diff.patch', tools.mask(truncated ? `${patch}\n(cut: the rest is not saved)\n` : patch))
  }

  async function evaluate(a: Attempt, view: View<DeliveryMemo>, signal: AbortSignal): Promise<Verdict> {
    const { state, memo } = view
    const plan = tools.plans.get(memo.plan)!
    const story = plan.stories.find(({ id }) => id === a.task.id)
    if (!story || attemptData(state.outcome).stale) return { status: 'failed', data: { by: 'stale' } }
    const commands = listCommands(story, plan, memo)
    const judgement = await judge({ a, view, story, commands }, signal)
    if (judgement.verdict.status !== 'unavailable') await writePages({ a, view, story, commands, ...judgement })
    return judgement.verdict
  }

  type About = {
    readonly a: Attempt
    readonly view: View<DeliveryMemo>
    readonly story: Story
    readonly commands: readonly string[]
  }
  type Judgement = {
    readonly verdict: Verdict
    readonly failed?: FailedCommand | undefined
    readonly critique?: string
  }

  /** Decides by facts: the time limit, changed files, then the commands in order. */
  async function judge(about: About, signal: AbortSignal): Promise<Judgement> {
    const { a, view, story, commands } = about
    const { outcome } = view.state
    const data = attemptData(outcome)
    const touched = (data.tampering ?? []).filter(({ expected }) => !expected)
    const blocks = policy.tampering === 'block' && touched.length > 0 && !policy.clean_room
    const { churn, ...known } = findStoryMemo(view.memo, story.id)
    const base = known.base ?? data.before!
    // Also after a timeout: the next story would take the changes for the original state.
    if (blocks) await restoreTampered({ base, story, tools })
    const untested = { left: blocks ? await snapshots.take() : data.tree! }
    if (outcome?.status === 'timed-out') {
      const says = outcome.detail === 'timed-out' ? undefined : outcome.detail
      return fail(about, { by: 'time', says: says ?? 'the time for this story or for the whole run is up' }, untested)
    }
    if (blocks) return fail(about, { by: 'tampering', tampering: touched, says: formatTampering(touched) }, untested)
    const watched = await tools.watch(story.verification)
    const runAll: RunAll = (name, on = data.tree!) =>
      tools.on(on, (where) => runUntilFailure(commands, { ...commandTools(a, name), ...where }, signal))
    const { failed, tree, moved, settled } = await verifyUntilStable(snapshots, { start: data.tree!, churn }, runAll)
    if (failed?.exit.exhausted) return { verdict: { status: 'unavailable', detail: failed.exit.detail } }
    if (settled !== undefined) await snapshots.sync(data.tree!, settled)
    const found = await findTamperingSince({ base, from: data.tree!, tree, watched, story, tools })
    const meanwhile = fitIntoEvent(found.map((one): Tampering => ({ ...one, attempt: a.attempt })))
    if (meanwhile.length > 0 && policy.tampering !== 'warn') {
      await keepDiff(data.tree!, tree)
      await restoreTampered({ base, story, tools })
      const says = `while it was verified, ${formatTampering(meanwhile)}`
      return fail(
        about,
        { by: 'tampering', tampering: meanwhile, says },
        { tampering: meanwhile, left: await snapshots.take() },
      )
    }
    const left = { left: tree }
    if (failed)
      return commandFailed(about, failed, { isLate: signal.aborted && signal.reason === 'timed-out', ...left })
    const changing = `verification itself changed ${moved.slice(0, 3).join(', ')}`
    if (settled === undefined) {
      return fail(about, { by: 'unstable', says: `${changing}, each of the ${maxRuns} times that it ran` }, left)
    }
    const nested = await findNestedRepository(snapshots, base, data.tree!)
    if (nested) {
      const says = `${nested} is a repository of its own: its files would not be committed`
      return fail(about, { by: 'unkept', says }, left)
    }
    const { before, unproven, tries } = findStoryMemo(view.memo, story.id)
    // Red before and green now without a change is a flaky check, or work in files that git does not track.
    const weighed = await weighStory(
      snapshots,
      { base, tree: data.tree!, before: before ?? 'green', story, policy },
      runAll,
    )
    if ('problem' in weighed) return { verdict: { status: 'unavailable', detail: weighed.problem } }
    if ('refused' in weighed) return fail(about, { by: 'evidence', says: weighed.refused }, left)
    const { evidence } = weighed
    const again =
      policy.strict_evidence || (policy.retry_unproven && unproven === 0 && tries < limits.story_max_attempts)
    if (evidence === 'unproven' && again) {
      const says = `its commands were ${before} before and git sees no change, so nothing is proved`
      return fail(about, { by: 'evidence', says }, { evidence, ...left })
    }
    const mark = fingerprintCommands(story.verification)
    const detail = moved.length ? changing : undefined
    const rewritten = moved.length > 0 && { moved: summarizePaths(moved) }
    const touchedNow = meanwhile.length > 0 && { tampering: meanwhile }
    const verdict: Verdict = {
      status: 'passed',
      detail,
      data: { evidence, tree: settled, mark, ...left, ...rewritten, ...touchedNow },
    }
    if (policy.tampering !== 'ask' || touched.length === 0) return { verdict }
    const critique = await criticise(about, { by: 'tampering', tampering: touched, says: formatTampering(touched) })
    return { verdict: { ...verdict, evidence: await content.put('critique.md', critique) }, critique }
  }

  /** `isLate`: the story's time ran out while the command was running. */
  async function commandFailed(
    about: About,
    failed: FailedCommand,
    { isLate, left }: { readonly isLate: boolean; readonly left?: Tree },
  ): Promise<Judgement> {
    const { command, index, exit } = failed
    const own = index < about.story.verification.length
    const earlier = own ? '' : ', which proves an earlier story,'
    const { promise, plea } = attemptData(about.view.state.outcome)
    const failing = `${JSON.stringify(command.slice(0, 80))}${earlier} failed (${isLate ? 'timed-out' : describeExit(exit)})`
    const says = promise === 'BLOCKED' ? `the agent says that it is blocked${plea ? `: ${plea}` : ''}` : failing
    const missing = exit.code === 127 || exit.code === 126 ? tools.missingProgram(command) : undefined
    const failure: Failure = { by: 'command', says, failed, own, missing }
    return {
      ...(await fail(about, failure, {
        command: index,
        ...(left && { left }),
        ...(missing && { hopeless: true }),
        ...(promise === 'BLOCKED' && { blocked: true }),
        ...((isLate || exit.status === 'timed-out') && { late: true }),
      })),
      failed,
    }
  }

  async function fail(about: About, failure: Failure, more: VerdictData = {}): Promise<Judgement> {
    const critique = await criticise(about, failure)
    const evidence = await content.put('critique.md', critique)
    return {
      verdict: { status: 'failed', detail: failure.says, evidence, data: { ...more, by: failure.by } },
      critique,
    }
  }

  async function criticise({ a, view, story }: About, failure: Failure): Promise<string> {
    const outcome = view.state.outcome!
    const { before, tree } = attemptData(outcome)
    const changes = before && tree ? await snapshots.difference(before, tree) : { files: [], total: 0 }
    const { earlier } = findStoryMemo(view.memo, story.id)
    const of = limits.story_max_attempts
    return formatCritique({ story, attempt: a.attempt, of, failure, changes, earlier, outcome })
  }

  /** Writes the attempt's page for people. */
  async function writePages({ a, view, story, commands, verdict, failed, critique }: About & Judgement): Promise<void> {
    const outcome = view.state.outcome!
    const call = a.recorded('agent')
    const [prompt, diff] = await Promise.all([readText(call?.output), readText(attemptData(outcome).diff)])
    const page = formatPage({ story, attempt: a.attempt, outcome, verdict, commands, failed, call, prompt, diff })
    tools.writePage(`attempts/${story.id}-attempt-${a.attempt}.md`, tools.mask(page))
    if (critique) tools.writePage('critique.md', critique)
  }

  return { attempt, evaluate }
}

/** Lists the story's own commands first, then those of finished stories, without duplicates. */
function listCommands(story: Story, plan: Plan, memo: DeliveryMemo): readonly string[] {
  const done = plan.stories.filter(({ id }) => id !== story.id && findStoryMemo(memo, id).status === 'done')
  return [...new Set([...story.verification, ...done.flatMap(({ verification }) => verification)])]
}
