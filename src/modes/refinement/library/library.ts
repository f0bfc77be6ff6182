import { parseHumanText } from '../../../config/input/text-input.ts'
import { PawlError } from '../../../contract/exit.ts'
import { cleanHumanText } from '../../../contract/human-text.ts'
import type { Ref } from '../../../contract/values.ts'
import type { View } from '../../../kernel/policy.ts'
import { advance, emptyView } from '../../../kernel/step.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import { type Executed, executeRun } from '../../../run/execution/execute.ts'
import { type OpenRun, openRun } from '../../../run/open-run.ts'
import { readRun } from '../../../run/read-run.ts'
import type { PresetName } from '../contract/config.ts'
import { RefinementRequest } from '../contract/request.ts'
import { type RefinementMemo, shownOutput } from '../core/memo.ts'
import { fallbackPhases } from '../core/phases.ts'
import { refinementPolicy } from '../core/policy.ts'
import type { RefinementResult } from '../core/result.ts'
import { beginRun, type InProcess, type LibraryParts, openLibraryMachine } from './begin.ts'
import { checkRefineOptions, checkResumeOptions } from './options.ts'
import { describePause, takePause, usedToken } from './paused-runs.ts'
import { refuseEmptyTask } from './refuse-empty.ts'
import type { PausedPayload, Refined, RefineOptions, ResumeOptions } from './types.ts'

export type Library = {
  /** Seed 000's `iterate_prompt`: phases with scores, retries and escalation, within 5 iterations and 1,000 tokens. */
  iteratePrompt(task: string, options?: RefineOptions): Promise<Refined>
  /** Seed 001's `adaptive_iterate`: the same by the rules of seed 001, within 7 iterations and 500 tokens. */
  adaptiveIterate(task: string, options?: RefineOptions): Promise<Refined>
  /**
   * Resumes a run that waits for a person, by a payload from the queue. Each token can be used once. `choice` answers the
   * run's question; the default is to go on. In another process it needs the `store` of the run, and its `models` if they are yours.
   */
  resumeIteration(payload: PausedPayload, feedback?: string, options?: ResumeOptions): Promise<Refined>
}

export function createLibrary(parts: LibraryParts): Library {
  const refine =
    (preset: PresetName) =>
    async (task: string, options: RefineOptions = {}): Promise<Refined> => {
      checkRefineOptions(task, options)
      const begin = { preset, ...options }
      if (cleanHumanText(task).text.trim() === '') return refuseEmptyTask(parts, begin)
      return continueRun(await beginRun(parts, parseHumanText(task, 'the task'), begin), options)
    }
  return {
    iteratePrompt: refine('sap-0020'),
    adaptiveIterate: refine('sap-0010'),
    resumeIteration: (payload, feedback, options) => resumeIteration(parts, payload, feedback, options),
  }
}

async function resumeIteration(
  parts: LibraryParts,
  payload: PausedPayload,
  feedback?: string,
  given: ResumeOptions = {},
): Promise<Refined> {
  checkResumeOptions(payload, feedback, given)
  const { choice, ...options } = given
  const said = feedback === undefined ? undefined : parseHumanText(feedback, 'the feedback')
  const { run, questionId, release } = await takePause(payload, async (id) => {
    const machine = openLibraryMachine(parts, options)
    const stored = await machine.store.open(id)
    return stored && { program: { machine, modes: parts.modes }, stored }
  })
  try {
    await answerPause(run, questionId, said, choice)
  } catch (error) {
    release()
    throw error
  }
  return continueRun(run, options)
}

async function answerPause(
  { program, stored }: InProcess,
  questionId: string,
  said: string | undefined,
  choice: string | undefined,
): Promise<void> {
  const { question } = (await readRun(stored)).state
  if (question?.id !== questionId) throw usedToken()
  const { choices } = question
  if (choice !== undefined && choice !== 'go-on' && !choices?.includes(choice)) {
    throw new PawlError(2, `${choice} is not a choice of this pause`, choices && `Choices: ${choices.join(', ')}`)
  }
  const text = said === undefined ? {} : { text: await putFeedback(await openRun(program, stored), said) }
  const chosen = choices ? { choice: choice ?? 'go-on' } : {}
  await stored.post({ by: 'queue', say: 'answer', questionId, ...chosen, ...text })
}

const never = new AbortController().signal

async function continueRun(
  run: InProcess,
  { signal, onEvent, onStart }: Pick<RefineOptions, 'signal' | 'onEvent' | 'onStart'>,
): Promise<Refined> {
  const { program, stored } = run
  const open = await openRun(program, stored)
  onStart?.({
    pause: async () => void (await stored.post({ by: 'library', say: 'pause' })),
    cancel: async () => void (await stored.post({ by: 'library', say: 'cancel' })),
    feedback: async (written) => {
      const text = await putFeedback(open, parseHumanText(written, 'the feedback'))
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
  return readRefined(run, open, executed)
}

/** Stores a text before the note that refers to it is posted. */
const putFeedback = (open: OpenRun, text: string): Promise<Ref> =>
  open.use(async (_mode, { content }) => {
    const ref = await content.put('feedback.md', text)
    await content.flush()
    return ref
  })

/** Builds the return value that the seeds ask for. */
async function readRefined(run: InProcess, open: OpenRun, executed: Executed): Promise<Refined> {
  const { envelope, stored } = open
  const request = RefinementRequest.parse(envelope.with)
  const view = await readView(stored, request, envelope.caps)
  const { memo, state } = view
  const content = open.use((_mode, { content }) => content)
  const read = async (ref: Ref | null): Promise<string | null> =>
    ref ? new TextDecoder().decode(await content.get(ref)) : null
  const label = (via: string): string => request.ladder.find(({ id }) => id === via)?.label ?? via
  const titles = memo.phases?.titles
    ? (JSON.parse((await read(memo.phases.titles))!) as { title: string }[])
    : fallbackPhases
  const { status } = executed
  const { score, model_used } = executed.result as RefinementResult
  const reason = state.ended?.reason.code ?? null
  const completed = state.ended?.ending === 'completed'
  const isPaused = status !== 'ended' && state.question !== undefined
  const single = memo.singleShot && memo.singleShot !== 'failed' ? memo.singleShot : null
  const best = await read(shownOutput(view))
  return {
    status: completed ? 'completed' : isPaused ? 'paused' : 'aborted',
    state: completed ? 'Completed' : isPaused ? 'Paused' : 'Aborted',
    reason: reason ?? (status === 'interrupted' ? 'interrupted' : null),
    output: completed ? best : await read(single),
    partial_output: completed ? null : best,
    fallback: single ? 'single-shot' : null,
    score,
    model_used,
    iterations: await Promise.all(
      memo.iterations.map(async ({ iteration, phase, via, score: scored, raw, output }) => ({
        iteration,
        phase: titles[phase - 1]?.title ?? '',
        model_used: label(via),
        score: scored,
        raw_score: raw,
        output: await read(output),
      })),
    ),
    escalations: state.escalations,
    tokens: state.tokens,
    overhead_tokens: state.overheadTokens,
    run_id: stored.entry.id,
    correlation_id: request.correlationId,
    problem: memo.problem,
    warning: completed || isPaused ? null : formatWarning(reason ?? 'interrupted', memo.problem, best),
    payload: isPaused ? await describePause(run, state.question.id) : null,
  }
}

function formatWarning(reason: string, problem: string | null, best: string | null): string {
  const kept = best === null ? 'there is no text' : 'the partial text is returned'
  return [`aborted: ${reason}`, ...(problem === null ? [] : [problem]), kept].join('; ')
}

async function readView(
  stored: StoredRun,
  request: RefinementRequest,
  caps: Parameters<typeof refinementPolicy>[1],
): Promise<View<RefinementMemo>> {
  const policy = refinementPolicy(request, caps)
  let view = emptyView(policy)
  for await (const page of (await stored.read()).events) for (const event of page) view = advance(view, event, policy)
  return view
}
