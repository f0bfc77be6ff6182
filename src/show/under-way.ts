import type { LoopEvent } from '../contract/event.ts'
import { judging } from '../kernel/state.ts'
import type { ReadRun } from '../run/read-run.ts'

/** What a run does at this moment, and for how long. */
export type UnderWay = {
  readonly doing: 'attempt' | 'gates'
  readonly task: string
  readonly attempt: number
  readonly sinceMs: number
}

/** Watches events go by; afterwards it can tell what is under way. Nothing is, where nobody owns the run. */
export function createUnderWay() {
  let began = 0
  return {
    see: (event: LoopEvent): void => {
      if (event.type === 'attempt-started' || event.type === 'attempt-ended') began = event.at
    },
    at: ({ standing, state }: Pick<ReadRun, 'standing' | 'state'>, now: number): UnderWay | null => {
      const { task, attempt, running } = state
      if (standing !== 'running' || !task || !(running || judging(state))) return null
      const doing = running ? 'attempt' : 'gates'
      return { doing, task: task.id, attempt, sinceMs: Math.max(0, now - began) }
    },
  }
}
