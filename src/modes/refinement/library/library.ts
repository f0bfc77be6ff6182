import { humanText } from '../../../config/human-text.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { PresetName } from '../contract/config.ts'
import { begin, type InProcess } from './in-process.ts'
import { refinedOf } from './refined.ts'
import { takePaused } from './resume-token.ts'
import type { Control, PausedPayload, Refined, RefineOptions } from './types.ts'

export type { Control, PausedPayload, Refined, RefineOptions }

/** Seed 000's `iterate_prompt`: phases, scored, tried again, escalated; bounded by 5 iterations and 1,000 tokens. */
export const iteratePrompt = (task: string, options: RefineOptions = {}): Promise<Refined> =>
  refine(task, { preset: 'sap-0020', ...options })

/** Seed 001's `adaptive_iterate`: the same by the rules of seed 001, bounded by 7 iterations and 500 tokens. */
export const adaptiveIterate = (task: string, options: RefineOptions = {}): Promise<Refined> =>
  refine(task, { preset: 'sap-0010', ...options })

async function refine(task: string, options: RefineOptions & { readonly preset: PresetName }): Promise<Refined> {
  // Seed 001: an empty task is an error in the log, and no reason to crash.
  return goOn(await begin(task.trim() === '' ? '' : humanText(task, 'the task'), options), options)
}

/**
 * Goes on with a run that waits for a person, as what came from the queue says. Each token is good for once. A run that asks
 * something is answered by `choice`, and goes on if nothing is chosen.
 */
export async function resumeIteration(
  payload: PausedPayload,
  feedback?: string,
  { choice, ...options }: Pick<RefineOptions, 'signal' | 'onEvent' | 'onStart'> & { readonly choice?: string } = {},
): Promise<Refined> {
  const said = feedback === undefined ? undefined : humanText(feedback, 'the feedback')
  const kept = takePaused(payload)
  const { question } = kept.view().state
  if (!question) throw new PawlError(10, 'this run does not wait for anybody')
  const text = said === undefined ? {} : { text: await kept.content.put('feedback.md', said) }
  const chosen = question.choices ? { choice: choice ?? 'go-on' } : {}
  await kept.inbox.post({ by: 'queue', say: 'answer', questionId: question.id, ...chosen, ...text })
  return goOn(kept, options)
}

async function goOn(kept: InProcess, options: Pick<RefineOptions, 'signal' | 'onEvent' | 'onStart'>): Promise<Refined> {
  const { inbox, content } = kept
  options.onStart?.({
    pause: async () => void (await inbox.post({ by: 'library', say: 'pause' })),
    cancel: async () => void (await inbox.post({ by: 'library', say: 'cancel' })),
    feedback: async (text) =>
      void (await inbox.post({
        by: 'library',
        say: 'feedback',
        text: await content.put('feedback.md', humanText(text, 'the feedback')),
      })),
  })
  const left = await kept.run(options)
  return refinedOf(kept, left)
}
