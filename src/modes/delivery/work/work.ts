import { join } from 'node:path'
import type { Outcome, Verdict } from '../../../contract/event.ts'
import { type CommandTools, describeExit, type FailedCommand, runUntilFailure } from '../../../judging/commands.ts'
import type { View } from '../../../kernel/policy.ts'
import type { Attempt, Work } from '../../../kernel/run.ts'
import { RepositoryBlockedError, type Tree } from '../../../ports/snapshots.ts'
import type { Plan, Story } from '../contract/plan.ts'
import type { DeliveryRequest } from '../contract/request.ts'
import { readJob } from '../core/event-data.ts'
import { findRole } from '../core/evidence/roles.ts'
import { formatTestResults } from '../core/evidence/test-ids.ts'
import { buildStoryKey, type DeliveryMemo, findStoryMemo, fingerprintCommands } from '../core/memo.ts'
import { createJudge } from './judge.ts'
import { findRemoved } from './removed.ts'
import { restoreTree } from './restore.ts'
import { createCommandRunner } from './run-commands.ts'
import { createStoryWork } from './story.ts'
import { type DeliveryTools, nameAgentFiles } from './tools.ts'
import { findChurn } from './verify-in-place.ts'

/** Runs stories, and the chores before, between and after them. */
export function createDeliveryWork(request: DeliveryRequest, tools: DeliveryTools): Work<DeliveryMemo> {
  const { agent, shell, snapshots, room, run, workspace, env, onProgress } = tools
  const runCommands = createCommandRunner(request.input.verification, tools)
  const judge = createJudge(request, tools, { commandTools, runCommands })
  const story = createStoryWork(request, tools, { judge, format, takeBefore })

  async function attempt(a: Attempt, view: View<DeliveryMemo>, signal: AbortSignal): Promise<Outcome> {
    const job = readJob(a.task)
    try {
      switch (job.do) {
        case 'story':
          return await story.attempt(a, view, signal)
        case 'baseline':
          return await baseline(a, view, signal)
        case 'keep':
          return await keep(view.memo, job.story)
        case 'check':
          return await check(view.memo)
        case 'verify-run':
          return await verifyRun(a, signal)
        case 'put-away':
          return await putAway(a, view.memo)
      }
    } catch (error) {
      // A lock of another process or the wrong branch does not count as an attempt.
      if (!(error instanceof RepositoryBlockedError)) throw error
      return job.do === 'story'
        ? { status: 'unavailable', detail: error.message, data: { fault: 'repository' } }
        : { status: 'failed', detail: error.message }
    }
  }

  async function evaluate(a: Attempt, view: View<DeliveryMemo>, signal: AbortSignal): Promise<Verdict> {
    if (readJob(a.task).do === 'story') return story.evaluate(a, view, signal)
    const { status, detail } = view.state.outcome!
    return { status: status === 'ok' ? 'passed' : 'failed', detail }
  }

  /** Runs a story's commands before any work on it: without that, green proves nothing. */
  async function baseline(a: Attempt, { memo }: View<DeliveryMemo>, signal: AbortSignal): Promise<Outcome> {
    const { verification } = findStory(tools.plans, memo, readJob(a.task).story)!
    const mark = fingerprintCommands(verification)
    const tree = await snapshots.take(signal)
    const head = (await tools.repository.look())?.head ?? null
    const known = memo.green?.tree === tree && memo.green.mark === mark
    if (known) {
      baselineTree = { tree, takenMs: performance.now() }
      return { status: 'ok', data: { was: 'green', tree, head, known } }
    }
    const defaults = commandTools(a, 'verify')
    // Otherwise a hanging command would use up the run's time before any work.
    const leftMs = (): number => Math.min(defaults.leftMs(), request.input.limits.story_timeout_minutes * 60_000)
    const toolsFor = (what: string): CommandTools => ({ ...commandTools(a, what), leftMs })
    const { failed, ids } = await runCommands({ name: 'verify', tree, commands: verification, toolsFor }, signal)
    if (failed?.exit.exhausted) return { status: 'unavailable', detail: failed.exit.detail }
    const was = failed ? 'red' : 'green'
    const results = failed && ids && (await tools.content.put('results.json', formatTestResults(ids)))
    const output = failed && failed.exit.outputBytes > 0 ? await tools.content.adopt(failed.log) : undefined
    // The room throws away what commands write, so the work tree is unchanged.
    const after = room ? tree : await snapshots.take(signal)
    baselineTree = { tree: after, takenMs: performance.now() }
    if (head !== null) await snapshots.sync(head, after)
    const churn = head === null ? [] : await findChurn(snapshots, head, { before: tree, after })
    const red = failed && { command: failed.index, ...(results && { ids: results }) }
    const data = { was, tree: after, head, ...red, ...(churn.length > 0 && { churn }) }
    return { status: 'ok', output, ...(failed && { detail: describeFailed(failed) }), data }
  }

  let baselineTree: { readonly tree: Tree; readonly takenMs: number } | undefined
  /** The tree before an attempt. The one at the end of a baseline will do: the attempt follows within milliseconds. */
  async function takeBefore(signal: AbortSignal): Promise<Tree> {
    const known = baselineTree
    baselineTree = undefined
    return known && performance.now() - known.takenMs < maxReuseMs ? known.tree : snapshots.take(signal)
  }

  /** Saves the verified tree under a key of run and story, so that a crash before the record causes no duplicate. */
  async function keep(memo: DeliveryMemo, id: string): Promise<Outcome> {
    const { title, source } = findStory(tools.plans, memo, id)!
    const { base, tree, evidence, head } = findStoryMemo(memo, id)
    const body = `${source.id ? `${source.id}. ` : ''}Verified (${evidence ?? 'no evidence'}).`
    const key = buildStoryKey(run, id, memo)
    const kept = { key, from: base!, to: tree!, subject: `${id}: ${title}`.slice(0, 100), body }
    const ref = await snapshots.keep(kept)
    await checkPosition(head)
    await carryOver(kept)
    const made = request.commit ? await snapshots.commit(kept, request.author) : null
    return { status: 'ok', data: { commit: made ?? ref, ...(made !== null && { head: made }) } }
  }

  /** Looks for the finished stories in the branch: a person may have reverted one or reset it away. */
  async function check(memo: DeliveryMemo): Promise<Outcome> {
    const removed = await findRemoved(snapshots, { run, memo, stories: tools.plans.get(memo.plan)!.stories })
    return { status: 'ok', data: { removed } }
  }

  /** Moves the changes of an abandoned story out of the work tree into a ref, so that the next story starts clean. */
  async function putAway(a: Attempt, memo: DeliveryMemo): Promise<Outcome> {
    const { story: id } = readJob(a.task)
    const { base, lastAttempt } = findStoryMemo(memo, id)
    if (base === null) return { status: 'ok' }
    const subject = `${id}, abandoned: ${findStory(tools.plans, memo, id)?.title ?? ''}`.slice(0, 100)
    // A killed earlier try has saved everything; the remains must not overwrite that ref.
    const key = `${run}/${id}-abandoned-${lastAttempt}${a.attempt > 1 ? `.${a.attempt}` : ''}`
    const commit = await restoreTree(snapshots, base, { key, subject })
    return { status: 'ok', data: { ...(commit && { commit }) } }
  }

  /**
   * A story is committed on the requested branch, though an agent or a person may have switched it. Commits from before
   * the story must still be there: an agent that amends, resets or rebases is not followed.
   */
  async function checkPosition(head: string | null): Promise<void> {
    const { working_branch } = request.input
    const look = await tools.repository.look()
    if (look?.branch !== working_branch) {
      throw new RepositoryBlockedError(
        `the work tree is on ${look?.branch ?? 'no branch'}, not on ${working_branch}: git switch ${working_branch}`,
      )
    }
    if (head === null || head === look.head) return
    const changes = await tools.repository.changesSince(head)
    if (changes === undefined || changes.history === 'continued') return
    throw new RepositoryBlockedError(
      `the branch was rewritten and no longer contains ${head.slice(0, 10)}: run git reset --soft ${head}, then the same command again`,
    )
  }

  /** After a switch from another branch the files are as before the story: then its changes are written again. */
  async function carryOver({ from, to }: { readonly from: Tree; readonly to: Tree }): Promise<void> {
    const { files } = await snapshots.difference(from, to)
    // A new file that is there, or a deleted one that is not, shows that the story's changes are in place.
    if (files.some(({ path, status }) => status !== 'modified' && tools.exists(path) === (status === 'added'))) return
    const paths = files.map(({ path }) => path)
    const now = await snapshots.difference(from, await snapshots.take())
    const changed = new Set(now.files.map(({ path }) => path))
    if (!paths.some((path) => changed.has(path))) await snapshots.restore(to, paths)
  }

  async function verifyRun(a: Attempt, signal: AbortSignal): Promise<Outcome> {
    const { run_commands } = request.input.verification
    const tree = await snapshots.take(signal)
    const toolsFor = (what: string): CommandTools => commandTools(a, what)
    const { failed } = await runCommands({ name: 'verify', tree, commands: run_commands, toolsFor }, signal)
    if (!failed) return { status: 'ok' }
    if (failed.exit.exhausted) return { status: 'unavailable', detail: failed.exit.detail }
    const output = failed.exit.outputBytes > 0 ? await tools.content.adopt(failed.log) : undefined
    return { status: 'failed', output, detail: describeFailed(failed), data: { command: failed.index } }
  }

  /** Formats what a story changed, in the room, and brings the result into the work tree. The settings are those from before the story. */
  async function format(
    a: Attempt,
    { base, tree }: { readonly base: Tree; readonly tree: Tree },
    signal: AbortSignal,
  ): Promise<Tree> {
    const { format: commands = [], tests = [] } = request.input.verification
    if (commands.length === 0 || !room || base === tree) return tree
    const { files } = await snapshots.difference(base, tree)
    const settings = files.flatMap(({ path }) => (findRole(path, tests) === 'settings' ? [path] : []))
    const changed = files.flatMap(({ path, status }) => (status === 'deleted' ? [] : [path]))
    const from = await snapshots.combine(tree, base, settings, {})
    const done = await room.change(from, changed, (place) =>
      runUntilFailure(commands, { ...commandTools(a, 'format'), shell: tools.roomShell, place }, signal),
    )
    if ('failed' in done) return tree
    const was = await snapshots.readAll(tree, changed)
    const texts = Object.entries(done.texts).filter(
      ([path, text]) => !settings.includes(path) && was.has(path) && was.get(path) !== text,
    )
    if (texts.length === 0) return tree
    const formatted = await snapshots.combine(tree, tree, [], Object.fromEntries(texts))
    await snapshots.restore(
      formatted,
      texts.map(([path]) => path),
    )
    return snapshots.take()
  }

  function commandTools(a: Attempt, what: string): CommandTools {
    const logName = (index: number): string =>
      join(tools.folder, 'attempts', `${a.task.id}-attempt-${a.attempt}-${what}-${index + 1}.log`)
    return { shell, cwd: workspace, env, scope: run, logOf: logName, leftMs: () => a.left().ms, onProgress }
  }

  /** Records what a killed attempt has spent, as far as it is known: it was not free. */
  async function recover(a: Attempt): Promise<undefined> {
    await shell.endLeftovers(run)
    if (a.task.kind !== 'work' || a.recorded('agent')) return
    const usage = (await agent.recover?.(nameAgentFiles(tools.folder, a))) ?? { tokens: null, costUsd: null }
    await a.record({ key: 'agent', via: a.via, status: 'failed', usage, providerMs: 0 })
  }

  return { attempt, evaluate, recover }
}

const maxReuseMs = 1000

const findStory = (plans: ReadonlyMap<string, Plan>, memo: Pick<DeliveryMemo, 'plan'>, id: string): Story | undefined =>
  plans.get(memo.plan)?.stories.find((story) => story.id === id)

const describeFailed = ({ command, exit }: FailedCommand): string =>
  `${JSON.stringify(command.slice(0, 80))} failed (${describeExit(exit)})`
