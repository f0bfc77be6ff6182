import { resolve } from 'node:path'
import { checkOptionNames } from '../../../contract/check-options.ts'
import type { LoopEvent } from '../../../contract/event.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Model } from '../../../ports/model.ts'
import { executeRun } from '../../../run/execution/execute.ts'
import type { Machine } from '../../../run/machine.ts'
import type { ModeEntry } from '../../../run/mode.ts'
import { openRun } from '../../../run/open-run.ts'
import { readRun } from '../../../run/read-run.ts'
import type { Answers } from '../contract/request.ts'
import type { SemanticDiff } from '../contract/semantic-diff.ts'
import type { StoredVerdict } from '../contract/verdict.ts'
import type { WritingResult } from '../core/result.ts'
import { iterate as start } from '../start/start.ts'

export type IterateOptions = {
  /** The project's folder. */
  readonly project: string
  /** Write the level anew instead of revising it. */
  readonly generate?: boolean
  /** What happens to the levels made from this one. Default false: they are kept and count as stale. */
  readonly cullDownstream?: boolean
  /** Decides about a draft that the judge rejects: another attempt, or use it anyway. Default: another, up to `maxAttempts`. */
  readonly onRejected?: 'yes' | 'no' | 'abort'
  /** Whether to save the changes. Default true. */
  readonly accept?: boolean
  readonly maxAttempts?: number
  readonly outputTokens?: number
  readonly maxCostUsd?: number
  readonly model?: string
  readonly judge?: string
  /** Models of your own, by the name that `model` or `judge` gives. */
  readonly models?: Readonly<Record<string, Model>>
  readonly signal?: AbortSignal
  readonly onEvent?: (event: LoopEvent) => void
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** The seed's IterationResult. */
export type IterationResult = WritingResult & {
  readonly verdicts: readonly StoredVerdict[]
  readonly diff: SemanticDiff | null
}

const names = [
  'project',
  'generate',
  'cullDownstream',
  'onRejected',
  'accept',
  'maxAttempts',
  'outputTokens',
  'maxCostUsd',
  'model',
  'judge',
  'models',
  'signal',
  'onEvent',
  'env',
] as const satisfies readonly (keyof IterateOptions)[]

export type WritingParts = {
  openMachine(env: NonNullable<IterateOptions['env']>): Machine
  readonly modes: readonly ModeEntry[]
}

/** The work of the REPL without a terminal: one iteration, from the context to the commit. Resumes nothing and asks nobody. */
export const createIterate =
  ({ openMachine, modes }: WritingParts) =>
  async (target: string, feedback: string, options: IterateOptions): Promise<IterationResult> => {
    checkOptionNames(names, options)
    const project = resolve(options.project)
    const machine = withModels(openMachine(options.env ?? process.env), options.models ?? {})
    const started = await start.start(machine, { ...toStart(options), target, feedback, ...place(project) }, silent)
    if (started.is !== 'started') throw new Error('the iteration was not started')
    const program = { machine, modes }
    try {
      const open = await openRun(program, started.run)
      const never = new AbortController().signal
      const executed = await executeRun(open, {
        machine,
        stop: { soft: never, hard: options.signal ?? never, now: options.signal ?? never },
        attended: false,
        mayShowWords: false,
        surface: { event: (event) => options.onEvent?.(event), notice: () => {} },
      })
      if (executed.status === 'unsaved') throw executed.error
      const { verdicts, diff } = await readFindings(open)
      return { ...(executed.result as WritingResult), verdicts, diff }
    } finally {
      await started.lock.release()
    }
  }

const place = (project: string) => ({
  studio: resolve(project, '..'),
  project: project.slice(resolve(project, '..').length + 1),
})

function toStart(options: IterateOptions) {
  const { generate, cullDownstream = false, onRejected = 'yes', accept = true, model, judge } = options
  const answers: Answers = {
    cull: cullDownstream ? 'cull-all' : 'keep-all',
    judge: onRejected,
    accept: accept ? 'yes' : 'no',
    provider: 'abort',
    replace: 'yes',
  }
  const { maxAttempts, outputTokens, maxCostUsd } = options
  return {
    kind: generate ? 'generate' : 'iterate',
    answers,
    ...(model !== undefined && { model }),
    ...(judge !== undefined && { judge }),
    ...(maxAttempts !== undefined && { maxAttempts }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(maxCostUsd !== undefined && { maxCost: maxCostUsd }),
  }
}

const silent = { ask: async () => undefined, tell: () => {}, show: () => {}, end: async () => {} }

/** Models of the caller count as local: what they do with a text is the caller's choice. */
function withModels(machine: Machine, own: NonNullable<IterateOptions['models']>): Machine {
  const entries = Object.keys(own).map((id) => [id, ownRung(id)] as const)
  if (entries.length === 0) return machine
  return {
    ...machine,
    models: {
      ...machine.models,
      known: { ...machine.models.known, ...Object.fromEntries(entries) },
      isLocal: (rung) => rung.id in own || machine.models.isLocal(rung),
      open: (rung, tools) => {
        const model = own[rung.id]
        return model ? machine.models.guard(model, rung) : machine.models.open(rung, tools)
      },
    },
  }
}

const ownRung = (id: string) => ({
  id,
  label: id,
  provider: 'scripted' as const,
  model: id,
  local: true,
  contextTokens: 200_000,
  price: null,
})

async function readFindings(open: Awaited<ReturnType<typeof openRun>>) {
  const { state } = await readRun(open.stored)
  if (state.seq === 0) throw new PawlError(20, 'the iteration was not recorded')
  return open.use(async (mode, run) => {
    const inputs = await mode.load(run)
    const { foldRun } = await import('../../../run/read-run.ts')
    const view = await foldRun(mode, run, inputs)
    const { readWritingFacts } = await import('../facts.ts')
    const { writing } = await readWritingFacts(run as never, inputs as never, view as never)
    return { verdicts: writing.verdicts, diff: writing.diff }
  })
}
