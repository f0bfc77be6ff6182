import { postRun, type Writes } from '../api.ts'
import { showError, showToast } from '../parts/toasts.tsx'
import { refreshRun } from '../queries.ts'

type Verb = keyof Writes

const titles: Readonly<Record<Verb, string>> = {
  pause: 'Pause requested',
  unpause: 'Resume requested',
  stop: 'Stop requested',
  'skip-wait': 'Skipping the wait',
  feedback: 'Feedback sent',
  raise: 'Bound raised',
  resume: 'Resume requested',
  fork: 'Fork started',
  answer: 'Answer sent',
}

/** Does something to a run and says so. Throws if the server refuses. */
export async function steerRun<One extends Verb>(id: string, verb: One, body: Writes[One]): Promise<unknown> {
  const answer = await postRun(id, verb, body)
  showToast({ tone: 'ok', title: titles[verb] })
  refreshRun(id)
  return answer
}

/** The same for buttons without a dialog: a refusal is shown. */
export const trySteering = <One extends Verb>(id: string, verb: One, body: Writes[One]): void =>
  void steerRun(id, verb, body).catch(showError)
