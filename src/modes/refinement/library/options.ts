import { z } from 'zod'
import { checkOptions, functionOption, objectWith, signalOption } from '../../../contract/check-options.ts'
import { PawlError } from '../../../contract/exit.ts'
import { Rung } from '../../../contract/models.ts'
import { Rubric } from '../../../contract/rubric.ts'
import { presetNames, RefineConfig } from '../contract/config.ts'
import type { PausedPayload, RefineOptions, ResumeOptions } from './types.ts'

const text = z.string()
const Places = {
  models: z.record(text, objectWith('a model: an object with the function call', 'call')),
  // `process.env` itself is no plain object.
  env: z.preprocess((env) => (typeof env === 'object' ? { ...env } : env), z.record(text, text.optional())),
  workspace: text,
  store: objectWith('a run store', 'create', 'open', 'list'),
  machine: objectWith('a machine'),
  clock: objectWith('a clock', 'now', 'elapsed', 'sleep'),
}
const Listeners = { signal: signalOption, onEvent: functionOption, onStart: functionOption }

const config = RefineConfig.unwrap()
  .partial()
  .refine(({ phases }) => !phases || phases.least <= phases.most, {
    path: ['phases', 'least'],
    message: 'at most config.phases.most',
  })

const Options = z
  .strictObject({
    preset: z.enum(presetNames),
    config,
    goal: text,
    text,
    context: z.array(z.strictObject({ name: text, text })),
    rubric: Rubric,
    ladder: z.array(z.union([text, Rung], 'a name or a rung')).min(1),
    judge: text,
    localOnly: z.boolean(),
    maxCostUsd: z.number().positive(),
    maxMs: z.number().positive(),
    taskId: text,
    correlationId: text,
    branch: text,
    ...Places,
    ...Listeners,
  } satisfies Record<keyof RefineOptions, z.ZodType>)
  .partial()

const OptionsToResume = z
  .strictObject({ choice: text, ...Places, ...Listeners } satisfies Record<keyof ResumeOptions, z.ZodType>)
  .partial()

/** A queue may add keys of its own. */
const Payload = z.object({ state: z.literal('paused'), resume_token: text, run_id: text.optional() } satisfies Record<
  keyof PausedPayload,
  z.ZodType
>)

export function checkRefineOptions(task: unknown, options: unknown): void {
  if (typeof task !== 'string') throw new PawlError(2, 'the task must be a string', undefined, 'invalid_options')
  checkOptions(Options, options)
}

export function checkResumeOptions(payload: unknown, feedback: unknown, options: unknown): void {
  checkOptions(z.object({ payload: Payload, feedback: text.optional() }), { payload, feedback })
  checkOptions(OptionsToResume, options)
}
