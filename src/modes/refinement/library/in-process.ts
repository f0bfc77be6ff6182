import { createHash, createHmac, randomBytes } from 'node:crypto'
import { systemClock } from '../../../adapters/clock/system.ts'
import { secretValues } from '../../../adapters/shell/output/env.ts'
import { createShell } from '../../../adapters/shell/shell.ts'
import { memoryArtifacts } from '../../../adapters/stores/memory/artifacts.ts'
import { memoryInbox } from '../../../adapters/stores/memory/inbox.ts'
import { memoryJournal } from '../../../adapters/stores/memory/journal.ts'
import { estimateTokens } from '../../../adapters/tokens/estimate.ts'
import { ladderOf } from '../../../config/models/ladder.ts'
import type { RefinementRun } from '../../../contract/request.ts'
import { general } from '../../../judging/scoring/rubrics/general.ts'
import type { Left, View } from '../../../kernel/policy.ts'
import { runLoop } from '../../../kernel/run.ts'
import { placeOf } from '../../../run/paths.ts'
import { newRunId } from '../../../run/request.ts'
import type { PresetName } from '../contract/config.ts'
import type { Brief } from '../contract/request.ts'
import type { Calibration } from '../contract/told.ts'
import type { RefinementMemo } from '../core/memo.ts'
import { refinementPolicy } from '../core/policy.ts'
import { stopFor } from '../core/rules.ts'
import { contentOf, modelsOf } from '../mode.ts'
import { openSapLog } from '../sap/sap-log.ts'
import { requestOf, rulesOf } from '../start/start.ts'
import { refinementWork } from '../work/work.ts'
import type { RefineOptions } from './types.ts'

/** A run that lives in this process and ends with it. */
export type InProcess = {
  readonly request: RefinementRun
  readonly journal: ReturnType<typeof memoryJournal>
  readonly inbox: ReturnType<typeof memoryInbox>
  readonly content: ReturnType<typeof memoryArtifacts>
  readonly run: (options: Pick<RefineOptions, 'signal' | 'onEvent'>) => Promise<Left<RefinementMemo>>
  readonly view: () => View<RefinementMemo>
}

export async function begin(
  task: string,
  options: RefineOptions & { readonly preset: PresetName },
): Promise<InProcess> {
  const { env = process.env, clock = systemClock, workspace } = options
  const content = memoryArtifacts()
  const brief: Brief = { task, goal: options.goal, text: options.text, context: options.context ?? [] }
  const rubric = options.rubric ?? general
  const rules = rulesOf(options.preset, options.config)
  const ladder = ladderIn(options, env)
  const wish = {
    name: options.taskId ?? 'refine',
    brief,
    rubric,
    rules,
    ladder,
    localOnly: options.localOnly ?? false,
    caps: {
      ...(options.maxCostUsd !== undefined && { costUsd: options.maxCostUsd }),
      ...(options.maxMs !== undefined && { activeMs: options.maxMs }),
    },
    origins: {},
    common: { sandbox: 'off', env: [], secrets: [] },
    correlationId: options.correlationId,
    branch: options.branch ?? null,
  } as const
  const place = { cwd: workspace ?? '', name: 'pawl' } as const
  const refs = {
    brief: await content.put('brief', JSON.stringify(brief)),
    rubric: await content.put('rubric', JSON.stringify(rubric)),
  }
  const request = requestOf(place, newRunId(new Date()), wish, refs)
  const { refinement, caps } = request
  const calibrations = new Map<string, Calibration>()
  const usual = refinementPolicy(refinement, caps)
  const policy = task === '' ? { ...usual, pick: () => stopFor('empty_task') } : usual
  const shell = createShell({ secrets: secretValues(env), isolation: 'auto', kill: never, runMark: request.run_id })
  const means = { env, now: () => clock.now(), estimateTokens, run: request.run_id, shell }
  const work = refinementWork({
    ...contentOf(refinement, content),
    request: refinement,
    modelOf: modelsOf(refinement, means, options.models),
    estimateTokens,
    markOf: (text) => createHash('sha256').update(text).digest('hex').slice(0, 16),
    elapsed: () => clock.elapsed(),
    calibrations: {
      get: async (id) => calibrations.get(id),
      put: async (id, found) => void calibrations.set(id, found),
    },
  })
  const journal = memoryJournal()
  const inbox = memoryInbox()
  const log =
    workspace === undefined
      ? undefined
      : openSapLog({
          place: placeOf('pawl'),
          run: request.run_id,
          history: () => journal.events,
          workspace,
          refinement,
          pseudonymOf: pseudonym,
          onNotice: () => {},
        })
  let view: View<RefinementMemo> | undefined
  return {
    request,
    journal,
    inbox,
    content,
    view: () => view!,
    run: async ({ signal, onEvent }) => {
      const left = await runLoop({
        run: request.run_id,
        policy,
        work,
        journal,
        inbox,
        clock,
        stop: { soft: never, hard: signal ?? never },
        start: { pins: {} },
        attended: false,
        holdMs: Number.POSITIVE_INFINITY,
        onEvent: (event, seen) => {
          log?.onEvent?.(event, seen)
          onEvent?.(event)
        },
        onSaved: (_seq, seen) => log?.onSaved(seen),
      })
      log?.onLeft(left)
      view = left.view
      if (left.status === 'unsaved') throw left.error
      return left
    },
  }
}

const never = new AbortController().signal

/** Nothing of this installation is at hand here. */
const ownSecret = randomBytes(32)
const pseudonym = (text: string): string => createHmac('sha256', ownSecret).update(text).digest('hex')

function ladderIn(
  options: RefineOptions & { readonly preset: PresetName },
  env: NodeJS.ProcessEnv,
): Omit<ReturnType<typeof ladderOf>, 'notices'> {
  const { ladder = ['ollama'], preset, judge, localOnly = false } = options
  const own = ladder.filter((rung) => typeof rung !== 'string')
  const settings = ladder.map((rung) => (typeof rung === 'string' ? rung : rung.id))
  return ladderOf({ settings, own, env: withKeysOf(options, env), preset, judge, localOnly })
}

/** A model that is brought along needs no key of ours. */
const withKeysOf = ({ models = {} }: RefineOptions, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  ...('grok' in models && { XAI_API_KEY: 'brought along' }),
  ...('claude' in models && { ANTHROPIC_API_KEY: 'brought along' }),
})
