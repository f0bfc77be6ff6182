import type { Decision, LoopEvent, Task } from '../contract/event.ts'
import type { Steered, Timeline, TimelineAttempt, TimelineTask } from '../contract/web.ts'
import type { LoopState } from '../kernel/state.ts'
import { formatOutputLine } from './format.ts'
import { formatNote } from './lines.ts'

type Pause = Timeline['pauses'][number]
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
type GrowingTask = Mutable<Omit<TimelineTask, 'title' | 'attempts'>> & { attempts: Mutable<TimelineAttempt>[] }

/** Collects events of a run and lays them out over time. The same for all modes, from the journal alone. */
export function createTimeline() {
  const tasks = new Map<string, GrowingTask>()
  const pauses: Mutable<Pause>[] = []
  const steered: Steered[] = []
  const stronger = new Set<string>()
  let [from, to] = [0, 0]
  let current: Mutable<TimelineAttempt> | undefined

  /** `after`: the state after the event. */
  function see(event: LoopEvent, after: LoopState): void {
    const last = to
    from ||= event.at
    to = event.at
    const person = describeSteering(event)
    if (person) steered.push(person)
    const open = pauses.at(-1)
    if (open?.to === null && isOver(open, event, after)) open.to = event.at
    const task = event.task === null ? undefined : tasks.get(event.task)
    switch (event.type) {
      case 'task-picked':
        pick(event.picked)
        return
      case 'attempt-started':
        current = startAttempt(event, stronger)
        if (task) task.state = 'at-work'
        task?.attempts.push(current)
        return
      case 'call-ended':
        if (!current) return
        current.tokens = add(current.tokens, event.call.usage.tokens)
        current.costUsd = add(current.costUsd, event.call.usage.costUsd)
        return
      case 'attempt-ended':
        if (!current) return
        current.outcome = event.outcome.status
        current.workedTo = event.at
        current.to = event.at
        current.says = formatOutputLine(event.outcome.detail ?? '')
        return
      case 'verdict-reached':
        if (!current) return
        current.verdict = event.verdict.status
        current.score = event.verdict.score ?? null
        current.to = event.at
        current.says = formatOutputLine(event.verdict.detail ?? current.says)
        return
      case 'decision-made':
        decide(event.decision, event, task)
        return
      case 'run-interrupted':
        if (task && task.state === 'at-work') task.state = 'interrupted'
        pauses.push({ kind: 'away', task: event.task, from: event.at, to: null, says: `interrupted by ${event.by}` })
        return
      case 'run-resumed':
        // Without an interruption the process was gone without a word.
        if (open?.kind !== 'away' || open.to !== event.at)
          pauses.push({ kind: 'away', task: event.task, from: last, to: event.at, says: 'no process was running it' })
        return
      case 'run-ended':
        current = undefined
        return
      case 'run-started':
      case 'run-reopened':
      case 'wait-ended':
      case 'note-received':
    }
  }

  function pick({ id, kind }: Task): void {
    const known = tasks.get(id)
    if (known) known.state = 'at-work'
    else tasks.set(id, { id, chore: kind === 'chore', state: 'at-work', attempts: [] })
  }

  function decide(decision: Decision, { at }: LoopEvent, task: GrowingTask | undefined): void {
    if (decision.do === 'escalate') stronger.add(decision.via)
    if (decision.do === 'settle' && task) task.state = decision.as
    if (decision.do === 'stop' && task?.state === 'at-work') task.state = 'failed'
    if (current && current.ledTo === null) current.ledTo = follow(decision)
    const kind = decision.do === 'wait' ? 'wait' : 'question'
    if (decision.do === 'wait' || decision.do === 'pause')
      pauses.push({ kind, task: task?.id ?? null, from: at, to: null, says: '' })
  }

  return {
    see,
    /** `planned`: tasks that are known from the start. Those that have not begun are open. */
    build: (
      title: (id: string) => string,
      unit: Timeline['unit'],
      planned: readonly { readonly id: string; readonly title: string }[],
    ): Timeline => {
      const titles = new Map(planned.map((task) => [task.id, task.title]))
      const open = planned.filter(({ id }) => !tasks.has(id))
      const begun = [...tasks.values()].map((task) => ({ ...task, title: titles.get(task.id) ?? title(task.id) }))
      const later = open.map((task) => ({ ...task, chore: false, state: 'open' as const, attempts: [] }))
      return { unit, from, to, tasks: [...begun, ...later], pauses }
    },
    steered: (): readonly Steered[] => steered,
  }
}

function startAttempt({ attempt, at, seq, via }: Extract<LoopEvent, { type: 'attempt-started' }>, up: Set<string>) {
  const n = attempt ?? 1
  const open = { workedTo: null, to: null, outcome: null, verdict: null, score: null, ledTo: null }
  return { n, via, from: at, ...open, says: '', stronger: up.has(via), tokens: null, costUsd: null, seq }
}

const add = (sum: number | null, more: number | null): number | null => (more === null ? sum : (sum ?? 0) + more)

function isOver({ kind }: Pause, event: LoopEvent, after: LoopState): boolean {
  if (kind === 'away') return event.type === 'run-resumed' || event.type === 'run-reopened'
  if (event.type === 'run-ended') return true
  return kind === 'wait' ? event.type === 'wait-ended' : after.question === undefined
}

function follow(decision: Decision): TimelineAttempt['ledTo'] {
  switch (decision.do) {
    case 'settle':
      return decision.as === 'done' ? 'kept' : decision.as === 'interrupted' ? null : decision.as
    case 'pause':
      return 'question'
    case 'raise':
      return null
    case 'retry':
    case 'escalate':
    case 'failover':
    case 'wait':
    case 'stop':
      return decision.do
  }
}

/** What a person did, from the event that records it. */
function describeSteering(event: LoopEvent): Steered | undefined {
  const { seq, at } = event
  const [said] = formatNote(event)[0] ?? []
  if (event.type === 'note-received' && typeof said === 'string') return { seq, at, by: event.note.by, says: said }
  if (event.type === 'run-reopened') return { seq, at, by: event.by, says: `${event.by} reopened the run` }
  return undefined
}
