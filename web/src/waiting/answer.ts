import type { RunRow, WaitingItem } from '../../../src/contract/web.ts'
import { postRun, type Writes } from '../api.ts'
import { showError, showToast } from '../parts/toasts.tsx'
import { refreshRun } from '../queries.ts'
import { forgetAnswer, markAnswered } from './drafts.ts'

export type Answer = Writes['answer']

/** Sends an answer and says so. False if the server refused. */
export async function sendAnswer({ id, name }: RunRow, answer: Answer): Promise<boolean> {
  markAnswered(id)
  try {
    await postRun(id, 'answer', answer)
  } catch (error) {
    forgetAnswer(id)
    showError(error)
    return false
  }
  showToast({ tone: 'ok', title: 'Answer sent', text: name })
  refreshRun(id)
  return true
}

/** The server's command with the answer that is chosen instead of all choices. */
export function formatAnswerCommand({ commands }: WaitingItem, answer: Answer | null): string | null {
  const step = commands.find(({ action }) => action.do === 'answer') ?? commands[0]
  if (!step) return null
  if (answer?.choice === undefined || step.action.do !== 'answer' || !step.action.choices) return step.command
  const picks = (answer.picks ?? []).map((id) => ` --pick ${id}`).join('')
  return step.command.replace(step.action.choices.join('|'), () => `${answer.choice}${picks}`)
}
