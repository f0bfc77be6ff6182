import type { Outcome, Verdict } from '../../../contract/event.ts'
import type { Ref } from '../../../contract/values.ts'
import { findPlea, findPromise } from '../../../judging/promise.ts'
import type { View } from '../../../kernel/policy.ts'
import type { Attempt } from '../../../kernel/run.ts'
import type { Tree } from '../../../ports/snapshots.ts'
import type { Plan, Story } from '../contract/plan.ts'
import type { DeliveryRequest } from '../contract/request.ts'
import { attemptData } from '../core/event-data.ts'
import { type DeliveryMemo, findStoryMemo } from '../core/memo.ts'
import { formatPage } from '../core/page.ts'
import { composePrompt } from '../core/prompt.ts'
import { findTampering, fitIntoEvent } from './check-tampering.ts'
import type { Judged, Judgement } from './fail.ts'
import type { createJudge } from './judge.ts'
import { restoreChecks, restoreTree } from './restore.ts'
import { type DeliveryTools, nameAgentFiles } from './tools.ts'

type StoryParts = {
  readonly judge: ReturnType<typeof createJudge>
  readonly format: (
    a: Attempt,
    trees: { readonly base: Tree; readonly tree: Tree },
    signal: AbortSignal,
  ) => Promise<Tree>
  readonly takeBefore: (signal: AbortSignal) => Promise<Tree>
}

/** Works on one story: runs a fresh agent, then the story's commands, then those of finished stories. */
export function createStoryWork(
  request: DeliveryRequest,
  tools: DeliveryTools,
  { judge, format, takeBefore }: StoryParts,
) {
  const { agent, content, snapshots, run, workspace } = tools
  const { policy } = request.input

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
    tools.room?.agentRan()
    const base = findStoryMemo(view.memo, story.id).base ?? before
    const tree = await format(a, { base, tree: await snapshots.take() }, signal)
    // The journal will name this tree.
    await snapshots.sync(before, tree)
    const found = await findTampering({ base, tree, watched, story, tools })
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
    await restoreChecks({ base: story.base, story: of, tools })
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

  /** Writes the attempt's page for people. */
  async function writePages({
    a,
    view,
    story,
    commands,
    verdict,
    failed,
    elsewhere,
    critique,
  }: Judged & Judgement): Promise<void> {
    const outcome = view.state.outcome!
    const call = a.recorded('agent')
    const [prompt, diff] = await Promise.all([readText(call?.output), readText(attemptData(outcome).diff)])
    const page = formatPage({
      story,
      attempt: a.attempt,
      outcome,
      verdict,
      commands,
      failed,
      elsewhere,
      call,
      prompt,
      diff,
    })
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
