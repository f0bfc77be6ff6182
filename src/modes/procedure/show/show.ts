import type { LoopEvent } from '../../../contract/event.ts'
import type { Reason } from '../../../contract/reasons.ts'
import type { Action, Line, Section, UnderWay } from '../../../contract/show.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { formatCount, formatDuration, formatOutputLine } from '../../../show/format.ts'
import { continuation, formatNote, formatQuestion } from '../../../show/lines.ts'
import { chooseNotices, gatherNoticed, workNotices } from '../../../show/notices.ts'
import { defaultSetting, formatReason } from '../../../show/reasons.ts'
import type { WorkFacts } from '../../../show/report/collect.ts'
import type { Show, Step } from '../../../show/show.ts'
import { explainWork } from '../../../show/why.ts'
import { listDefaultBounds, showWorkLive } from '../../../show/work-live.ts'
import { attemptsSection, changesSection, gatesSection, nextSection, spentSection } from '../../../show/work-report.ts'
import type { ProcedureRequest } from '../contract/request.ts'
import { verdictData } from '../core/event-data.ts'
import type { ProcedureMemo } from '../core/memo.ts'
import { findMissing, type Missing, procedureReasons, procedureReasons as reasons } from '../core/reasons.ts'
import { iterationsBegun, type Session, sessionSoFar } from '../core/session.ts'

const unit = { one: 'iteration', many: 'iterations' }

/** Formats a procedure for users. */
export const procedureShow: Show<ProcedureRequest, null, ProcedureMemo, WorkFacts> = {
  unit,
  setting: defaultSetting,
  task: formatTask,
  doing: formatActivity,
  wants: () => [],
  lines: (step, { name }) => procedureLines(step, name),
  live: (watched) =>
    showWorkLive(watched, {
      unit,
      setting: defaultSetting,
      reasons,
      task: ({ task, tasks, caps }) => formatIteration(task?.id ?? `iteration-${tasks + 1}`, caps.tasks),
    }),
  bounds: (state) => listDefaultBounds(state),
  question: (question) => formatQuestion(question, reasons),
  progress: ({ state }) => {
    const [iterations, of] = [iterationsBegun(state), state.caps.tasks ?? null]
    return { progress: of === null ? `${iterations}` : `${iterations}/${of}`, did: { iterations, of } }
  },
  notices: (report) => chooseNotices(workNotices(gatherNoticed(report))),
  report: (report, { request }) => [
    changesSection(report.facts),
    sayWhere(gatesSection(report.facts), request),
    attemptsSection(report, 'ITERATIONS'),
    spentSection(report),
    nextSection(report),
  ],
  why: (report) => {
    const advice = report.standing === 'running' || !report.reason ? [] : adviseOnEnd(report.reason, report.state)
    return explainWork(report, { reasons, setting: defaultSetting, doing: formatActivity, advice })
  },
}

function sayWhere(gates: Section, { cleanRoom }: ProcedureRequest): Section {
  if (!cleanRoom || gates.blocks.length === 0) return gates
  const where = 'They ran in a clean room: a copy from before the first agent, with the files that git would commit.'
  return { ...gates, blocks: [...gates.blocks, { kind: 'text', lines: [[where]] }] }
}

function formatTask(id: string): string {
  return id.replace(/^iteration-/, 'iteration ')
}

/** "running iteration 2" */
function formatActivity({ doing, task }: UnderWay): string {
  return `${doing === 'attempt' ? 'running' : 'running the gates of'} ${formatTask(task)}`
}

/** Formats one event in the wording of seed 002. Returns nothing for events without news. */
function procedureLines({ event, after }: Step<ProcedureMemo>, name: string): readonly Line[] {
  const { state } = after
  const { caps } = state
  switch (event.type) {
    case 'run-started': {
      const limit = caps.tasks ? `max ${formatCount(caps.tasks, 'iteration')}` : 'unlimited iterations'
      return [[`Starting procedure: ${name} (${limit})`]]
    }
    case 'run-resumed':
    case 'run-reopened':
      return formatResumed(sessionSoFar(after), name, caps.tasks)
    case 'attempt-started':
      return [[`${formatIteration(event.task, caps.tasks)} starting...`]]
    case 'verdict-reached':
      return event.verdict.status === 'failed' ? [[{ is: 'warning', text: formatFailure(event.verdict, state) }]] : []
    case 'decision-made':
      return formatDecision(event, state)
    case 'wait-ended':
      return [[event.skipped ? 'Wait skipped' : 'Wait over']]
    case 'run-ended':
      return [
        [{ is: event.ending === 'completed' ? 'good' : 'bad', text: formatEnd(event, state) }],
        ...adviseOnEnd(event.reason, state),
      ]
    case 'attempt-ended':
      return event.outcome.status === 'unavailable'
        ? [[`AI CLI unavailable (${event.outcome.detail ?? 'no detail'})`]]
        : []
    case 'note-received':
      return formatNote(event)
    case 'task-picked':
    case 'call-ended':
    case 'run-interrupted':
      return []
  }
}

function formatResumed(
  { begun, completed, interrupted, activeMs }: Session,
  name: string,
  max: number | undefined,
): Line[] {
  const cut = interrupted ? `, ${interrupted} interrupted,` : ''
  const what = interrupted ? `${completed} completed` : `${formatCount(completed, 'iteration')} completed`
  return [
    [`Resuming procedure: ${name} from iteration ${begun}${max ? ` (max ${max})` : ''}`],
    [`Previous session: ${what}${cut} in ${formatDuration(activeMs)}`],
  ]
}

/** "Iteration 2/10" */
const formatIteration = (task: string | null, max: number | undefined): string =>
  `Iteration ${(task ?? '').replace('iteration-', '')}${max ? `/${max}` : ''}`

function formatFailure(verdict: Extract<LoopEvent, { type: 'verdict-reached' }>['verdict'], state: LoopState): string {
  const what = verdictData(verdict).by === 'gate' ? 'Quality gates failed' : 'AI CLI failed'
  const of = state.caps.failuresInARow ? `/${state.caps.failuresInARow}` : ''
  return `WARNING: ${what} (${verdict.detail ?? 'no detail'}), consecutive failures: ${state.failuresInARow}${of}`
}

function formatDecision({ decision, task }: Extract<LoopEvent, { type: 'decision-made' }>, state: LoopState): Line[] {
  if (decision.do === 'settle') {
    // Seed 002 prints no line for an interrupted iteration, nor for the failure that ends the run.
    const last = state.failuresInARow >= (state.caps.failuresInARow ?? Infinity)
    if (decision.as === 'interrupted' || last) return []
    return [[`${formatIteration(task, state.caps.tasks)} completed in ${formatDuration(state.taskMs)}`]]
  }
  if (decision.do === 'wait') {
    const reason = formatReason(procedureReasons, decision.reason)
    const skip = { is: 'action', action: { do: 'resume', now: true } } as const
    return [['Waiting until ', { is: 'at', at: decision.until }, ` (${reason}); skip with: `, skip]]
  }
  if (decision.do === 'pause') {
    const { topic } = decision.question
    const what = topic.code === 'paused' ? 'Paused' : `Question: ${formatReason(procedureReasons, topic)}`
    return [[`${what}; continue with: `, { is: 'action', action: continuation(decision.question) }]]
  }
  return []
}

function formatEnd({ ending, reason }: Extract<LoopEvent, { type: 'run-ended' }>, state: LoopState): string {
  const total = `total: ${formatDuration(state.activeMs)}`
  if (reason.code === 'max_iterations') {
    const open = ending === 'completed' ? '' : ', not done yet'
    return `Reached max iterations: ${state.caps.tasks}${open} (${total})`
  }
  if (reason.code === 'cap_spent' && reason.cap === 'failuresInARow') {
    const many = formatCount(state.failuresInARow, 'consecutive failure')
    return `ERROR: Aborting after ${many} (${formatCount(state.tasks, 'iteration')} completed, ${total})`
  }
  const how = ending === 'completed' ? 'Completed' : `Ended as ${ending}`
  return `${how}: ${formatReason(procedureReasons, reason)} (${total})`
}

/** Says what an ended run lacked and what to do about it. Nothing if its reason says it all. */
function adviseOnEnd(reason: Reason, { outcome }: LoopState): readonly Line[] {
  const missing = findMissing(reason)
  if (missing) return missingAdvice[missing]
  if (reason.code !== 'agent_did_nothing' && reason.code !== 'not_logged_in') return []
  const doctor: Action = { do: 'command', argv: ['pawl', 'doctor'] }
  return [
    [`The agent said: ${formatOutputLine(outcome?.detail ?? 'nothing').slice(0, maxQuoteLength)}`],
    ['If it needs a variable, such as a key, list its name under env in the config. To check: ', act(doctor)],
  ]
}

const maxQuoteLength = 300
const act = (action: Action): Line[number] => ({ is: 'action', action })
const explainGates = act({ do: 'command', argv: ['pawl', 'config', 'explain', 'gates'] })
const more = act({ do: 'resume', raise: ['tasks'] })

const missingAdvice: Readonly<Record<Missing, readonly Line[]>> = {
  iteration: [['No iteration was completed: each was interrupted. To run more: ', more]],
  gates: [
    [
      'No gate is configured, and without one a promise ends no run. Add the command that checks the work under gates: ',
      explainGates,
    ],
  ],
  green: [],
  promise: [
    ['All gates passed in the last iteration, but its agent did not end with the line <promise>SUCCESS</promise>.'],
    [
      'If passing gates are enough, set until: gates. If not, let the prompt say when to print the line, or continue: ',
      more,
    ],
  ],
}
