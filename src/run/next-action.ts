import type { Action, Standing } from '../contract/show.ts'
import type { LoopState } from '../kernel/state.ts'
import { listSpentMoney } from '../show/spend.ts'

/** True if a person has paused the run, or it will pause after its current step. Any other question needs an answer. */
export const isPaused = ({ question, pauseBy }: Pick<LoopState, 'question' | 'pauseBy'>): boolean =>
  question ? question.topic.code === 'paused' && !question.choices : pauseBy !== undefined

/** Returns the action that continues a run, or undefined if there is none. */
export function chooseNextAction(run: string, standing: Standing, state: LoopState): Action | undefined {
  const { question } = state
  switch (standing) {
    case 'queued':
    case 'running':
      return { do: 'watch', run }
    case 'waiting':
      if (isPaused(state)) return { do: 'resume', run }
      if (!question) return { do: 'resume', run, now: true }
      return { do: 'answer', run, ...(question.choices && { choices: question.choices }) }
    case 'completed':
      return undefined
    case 'crashed':
    case 'interrupted':
      return { do: 'resume', run }
    case 'failed':
    case 'blocked':
    case 'cancelled':
      return { do: 'resume', run, raise: listSpentMoney(state) }
  }
}

/** The action after a run that lost its journal and cannot be resumed. */
export const startAfresh = (name: string): Action => ({ do: 'command', argv: ['pawl', 'run', name, '--fresh'] })
