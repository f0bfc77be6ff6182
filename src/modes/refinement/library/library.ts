import { humanText } from '../../../config/input/human-text.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Ref } from '../../../contract/values.ts'
import { executeRun } from '../../../run/execution/execute.ts'
import { type OpenRun, openRun } from '../../../run/open-run.ts'
import { readRun } from '../../../run/read-run.ts'
import type { PresetName } from '../contract/config.ts'
import { begin, type InProcess, type LibraryParts } from './begin.ts'
import { readRefined } from './refined.ts'
import { takePaused } from './resume-token.ts'
import type { PausedPayload, Refined, RefineOptions, ResumeOptions } from './types.ts'

export type Library = {
  /** Seed 000's `iterate_prompt`: phases, scored, tried again, escalated; bounded by 5 iterations and 1,000 tokens. */
  iteratePrompt(task: string, options?: RefineOptions): Promise<Refined>
  /** Seed 001's `adaptive_iterate`: the same by the rules of seed 001, bounded by 7 iterations and 500 tokens. */
  adaptiveIterate(task: string, options?: RefineOptions): Promise<Refined>
  /**
   * Goes on with a run that waits for a person, as what came from the queue says. Each token is good for once. A run that asks
   * something is answered by `choice`, and goes on if nothing is chosen.
   */
  resumeIteration(payload: PausedPayload, feedback?: string, options?: ResumeOptions): Promise<Refined>
}

export function createLibrary(parts: LibraryParts): Library {
  const refine =
    (preset: PresetName) =>
    async (task: string, options: RefineOptions = {}): Promise<Refined> => {
      // Seed 001: an empty task is an error in the log, and no reason to crash.
      const asked = task.trim() === '' ? '' : humanText(task, 'the task')
      return goOn(await begin(parts, asked, { preset, ...options }), options)
    }
  return { iteratePrompt: refine('sap-0020'), adaptiveIterate: refine('sap-0010'), resumeIteration }
}

async function resumeIteration(
  payload: PausedPayload,
  feedback?: string,
  { choice, ...options }: ResumeOptions = {},
): Promise<Refined> {
  const said = feedback === undefined ? undefined : humanText(feedback, 'the feedback')
  const kept = takePaused(payload)
  const { stored } = kept
  const { question } = (await readRun(stored)).state
  if (!question) throw new PawlError(10, 'this run does not wait for anybody')
  const text = said === undefined ? {} : { text: await putWords(await openRun(kept.program, stored), said) }
  const chosen = question.choices ? { choice: choice ?? 'go-on' } : {}
  await stored.post({ by: 'queue', say: 'answer', questionId: question.id, ...chosen, ...text })
  return goOn(kept, options)
}

const never = new AbortController().signal

async function goOn(
  kept: InProcess,
  { signal, onEvent, onStart }: Pick<RefineOptions, 'signal' | 'onEvent' | 'onStart'>,
): Promise<Refined> {
  const { program, stored } = kept
  const open = await openRun(program, stored)
  onStart?.({
    pause: async () => void (await stored.post({ by: 'library', say: 'pause' })),
    cancel: async () => void (await stored.post({ by: 'library', say: 'cancel' })),
    feedback: async (written) => {
      const text = await putWords(open, humanText(written, 'the feedback'))
      await stored.post({ by: 'library', say: 'feedback', text })
    },
  })
  const executed = await executeRun(open, {
    machine: program.machine,
    stop: { soft: never, hard: signal ?? never, now: never },
    attended: false,
    mayShowWords: false,
    surface: { event: (event) => onEvent?.(event), notice: () => {} },
  })
  if (executed.status === 'unsaved') throw executed.error
  return readRefined(kept, open, executed)
}

/** Words are safe before the note that names them is posted. */
const putWords = (open: OpenRun, text: string): Promise<Ref> =>
  open.use(async (_mode, { content }) => {
    const ref = await content.put('feedback.md', text)
    await content.flush()
    return ref
  })
