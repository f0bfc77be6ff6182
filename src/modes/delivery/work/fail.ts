import type { Verdict } from '../../../contract/event.ts'
import { describeExit, type FailedCommand } from '../../../judging/commands.ts'
import type { View } from '../../../kernel/policy.ts'
import type { Attempt } from '../../../kernel/run.ts'
import type { Story } from '../contract/plan.ts'
import type { DeliveryRequest } from '../contract/request.ts'
import { type Failure, formatCritique } from '../core/critique.ts'
import { attemptData, type VerdictData } from '../core/event-data.ts'
import { type DeliveryMemo, findStoryMemo } from '../core/memo.ts'
import type { DeliveryTools } from './tools.ts'

/** An attempt that is to be judged. `commands` are those of the story first, then those of finished stories. */
export type Judged = {
  readonly a: Attempt
  readonly view: View<DeliveryMemo>
  readonly story: Story
  readonly commands: readonly string[]
}
export type Judgement = {
  readonly verdict: Verdict
  readonly failed?: FailedCommand | undefined
  /** What failed on another tree, although the commands pass. */
  readonly elsewhere?: FailedCommand | undefined
  readonly critique?: string
}

/** Makes verdicts on attempts that failed, with a critique for the next one. */
export function createFailures(
  request: DeliveryRequest,
  tools: Pick<DeliveryTools, 'content' | 'snapshots' | 'missingProgram'>,
) {
  const { content, snapshots } = tools
  const { limits } = request.input

  type FailedMore = VerdictData & {
    readonly isLate?: boolean
    readonly missing?: readonly string[]
    readonly hint?: string
  }

  /** `isLate`: the story's time ran out while the command was running. */
  async function commandFailed(about: Judged, failed: FailedCommand, given: FailedMore): Promise<Judgement> {
    const { isLate, missing: absent, hint = '', ...more } = given
    const { command, index, exit } = failed
    const own = index < about.story.verification.length
    const earlier = own ? '' : ', which proves an earlier story,'
    const { promise, plea } = attemptData(about.view.state.outcome)
    const failing = `${JSON.stringify(command.slice(0, 80))}${earlier} failed (${isLate ? 'timed-out' : describeExit(exit)})${hint}`
    const says = promise === 'BLOCKED' ? `the agent says that it is blocked${plea ? `: ${plea}` : ''}` : failing
    const missing = exit.code === 127 || exit.code === 126 ? tools.missingProgram(command) : undefined
    const failure: Failure = { by: 'command', says, failed, own, missing, absent }
    const late = isLate || exit.status === 'timed-out'
    const judgement = await fail(about, failure, {
      command: index,
      ...more,
      ...(missing && { hopeless: true }),
      ...(promise === 'BLOCKED' && { blocked: true }),
      ...(late && { late: true }),
    })
    return { ...judgement, failed }
  }

  async function fail(about: Judged, failure: Failure, more: VerdictData = {}): Promise<Judgement> {
    const critique = await criticise(about, failure)
    const evidence = await content.put('critique.md', critique)
    const verdict: Verdict = { status: 'failed', detail: failure.says, evidence, data: { ...more, by: failure.by } }
    return { verdict, critique }
  }

  async function criticise({ a, view, story }: Judged, failure: Failure): Promise<string> {
    const outcome = view.state.outcome!
    const { before, tree } = attemptData(outcome)
    const changes = before && tree ? await snapshots.difference(before, tree) : { files: [], total: 0 }
    const { earlier } = findStoryMemo(view.memo, story.id)
    const of = limits.story_max_attempts
    return formatCritique({ story, attempt: a.attempt, of, failure, changes, earlier, outcome })
  }

  return { fail, commandFailed, criticise }
}
