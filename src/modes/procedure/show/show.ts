import type { UnderWay } from '../../../contract/show.ts'
import { usualBounds } from '../../../show/bounds.ts'
import { chooseNotices, noticedIn, workNotices } from '../../../show/notices.ts'
import { plainQuestion } from '../../../show/question.ts'
import { usualSetting } from '../../../show/reasons.ts'
import type { WorkFacts } from '../../../show/report/collect.ts'
import type { Show } from '../../../show/show.ts'
import { usualWhy } from '../../../show/why.ts'
import { workLive } from '../../../show/work-live.ts'
import { attemptsSection, changesSection, gatesSection, nextSection, spentSection } from '../../../show/work-report.ts'
import type { ProcedureRequest } from '../contract/request.ts'
import type { ProcedureMemo } from '../core/memo.ts'
import { procedureReasons as reasons } from '../core/reasons.ts'
import { iterationsBegun } from '../core/session.ts'
import { iteration, procedureLines } from './lines.ts'

const unit = { one: 'iteration', many: 'iterations' }

/** A procedure as people see it. */
export const procedureShow: Show<ProcedureRequest, null, ProcedureMemo, WorkFacts> = {
  unit,
  setting: usualSetting,
  task: taskName,
  doing,
  wants: () => [],
  lines: (step, { name }) => procedureLines(step, name),
  live: (watched) =>
    workLive(watched, {
      unit,
      setting: usualSetting,
      reasons,
      task: ({ task, tasks, caps }) => iteration(task?.id ?? `iteration-${tasks + 1}`, caps.tasks),
    }),
  bounds: (state) => usualBounds(state),
  question: (question) => plainQuestion(question, reasons),
  progress: ({ state }) => {
    const [iterations, of] = [iterationsBegun(state), state.caps.tasks ?? null]
    return { progress: of === null ? `${iterations}` : `${iterations}/${of}`, did: { iterations, of } }
  },
  notices: (report) => chooseNotices(workNotices(noticedIn(report))),
  report: (report) => [
    changesSection(report.facts),
    gatesSection(report.facts),
    attemptsSection(report, 'ITERATIONS'),
    spentSection(report),
    nextSection(report),
  ],
  why: (report) => usualWhy(report, { reasons, setting: usualSetting, doing }),
}

function taskName(id: string): string {
  return id.replace(/^iteration-/, 'iteration ')
}

/** "running iteration 2" */
function doing({ doing, task }: UnderWay): string {
  return `${doing === 'attempt' ? 'running' : 'running the gates of'} ${taskName(task)}`
}
