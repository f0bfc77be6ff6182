import type { UnderWay } from '../../../contract/show.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { usualBounds } from '../../../show/bounds.ts'
import { plainQuestion } from '../../../show/question.ts'
import { usualSetting } from '../../../show/reasons.ts'
import type { Show } from '../../../show/show.ts'
import { usualWhy } from '../../../show/why.ts'
import { workLive } from '../../../show/work-live.ts'
import { attemptsSection, changesSection, nextSection, spentSection } from '../../../show/work-report.ts'
import type { Plan } from '../contract/plan.ts'
import type { DeliveryRequest } from '../contract/request.ts'
import type { DeliveryFacts } from '../core/facts.ts'
import type { DeliveryMemo } from '../core/memo.ts'
import { deliveryReasons as reasons } from '../core/reasons.ts'
import { boundOf, countDone, deliveryLines } from './lines.ts'
import { deliveryNotices } from './notices.ts'
import { storiesSection } from './stories-section.ts'

const unit = { one: 'story', many: 'stories' }

/** A delivery as people see it. */
export const deliveryShow: Show<DeliveryRequest, ReadonlyMap<string, Plan>, DeliveryMemo, DeliveryFacts> = {
  unit,
  setting: usualSetting,
  task: (id) => id,
  doing,
  wants: () => [],
  lines: (step, { name, request, inputs }) =>
    deliveryLines(step, { name, stories: inputs.get(request.plan.sha256)?.stories ?? [] }),
  live: (watched) => workLive(watched, { unit, setting: usualSetting, reasons, task: taskIn }),
  bounds: (state) => usualBounds(state, { tasks: 'stories' }),
  question: (question) => plainQuestion(question, reasons),
  progress: ({ memo }, { inputs }) => {
    const [stories, of] = [countDone(memo), inputs.get(memo.plan)?.stories.length ?? 0]
    return { progress: `${stories}/${of} stories`, did: { stories, of } }
  },
  notices: deliveryNotices,
  report: (report) => [
    changesSection(report.facts),
    storiesSection(report.facts),
    attemptsSection(report, 'ATTEMPTS'),
    spentSection(report),
    nextSection(report),
  ],
  why: (report) => usualWhy(report, { reasons, setting: usualSetting, doing }),
}

/** "running S2" */
function doing({ doing, task }: UnderWay): string {
  return `${doing === 'attempt' ? 'running' : 'running the gates of'} ${task}`
}

/** "S1 attempt 2/4", or the chore that is done between stories. */
function taskIn({ task, attempt, caps }: LoopState): string {
  if (!task) return 'between two stories'
  if (task.kind === 'chore') return task.id.replace('-', ' ')
  return `${task.id} attempt ${Math.max(1, attempt)}${boundOf(attempt, caps)}`
}
