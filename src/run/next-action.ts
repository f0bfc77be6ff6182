import type { Action, Standing } from '../contract/show.ts'
import type { LoopState } from '../kernel/state.ts'

/** Returns the action that continues a run, or undefined if there is none. */
export function chooseNextAction(run: string, standing: Standing, { question }: LoopState): Action | undefined {
  switch (standing) {
    case 'running':
      return { do: 'watch', run }
    case 'waiting':
      if (!question) return { do: 'resume', run, now: true }
      return { do: 'answer', run, ...(question.choices && { choices: question.choices }) }
    case 'completed':
      return undefined
    case 'crashed':
    case 'interrupted':
    case 'failed':
    case 'blocked':
    case 'cancelled':
      return { do: 'resume', run }
  }
}
