import { z } from 'zod'

const ms = z.number().int().nonnegative()
const signals = z.enum(['SIGINT', 'SIGTERM', 'SIGHUP'])

const Fork = z.strictObject({
  seconds: z.number().positive(),
  setsid: z.boolean().optional(),
  clear_env: z.boolean().optional(),
})

const ScriptUsage = z.strictObject({
  tokens: z.number().nonnegative().nullable().optional(),
  cost_usd: z.number().nonnegative().nullable().optional(),
})

/** One start of the scripted agent. It performs these actions in this order. */
export const AgentStep = z.strictObject({
  when: z.strictObject({ task: z.string().optional(), attempt: z.number().int().optional() }).optional(),
  ignore: z.array(signals).optional(),
  fork: z.array(Fork).optional(),
  delay_ms: ms.optional(),
  echo_prompt: z.boolean().optional(),
  output: z.string().optional(),
  stderr: z.string().optional(),
  bytes: z.number().int().nonnegative().optional(),
  write: z.record(z.string(), z.string()).optional(),
  append: z.record(z.string(), z.string()).optional(),
  delete: z.array(z.string()).optional(),
  usage: ScriptUsage.optional(),
  limit: z.strictObject({ reset_in_ms: z.number() }).optional(),
  silent_ms: ms.optional(),
  kill_self: z.enum(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGSTOP']).optional(),
  exit: z.number().int().min(0).max(255).optional(),
})
export type AgentStep = z.infer<typeof AgentStep>

export const ModelStep = z.strictObject({
  /** The step is used only for a call whose prompt contains all of these. Default: any call. */
  when: z.array(z.string()).optional(),
  /** The step may be used again and again. The last fitting step always may. */
  again: z.boolean().optional(),
  reply: z.string().optional(),
  /** Shorthand for the reply `{"score":85}`. */
  score: z.number().optional(),
  tokens: z.number().nonnegative().nullable().optional(),
  cost_usd: z.number().nonnegative().nullable().optional(),
  delay_ms: ms.optional(),
  /** The reply ended at the output limit. */
  cut: z.boolean().optional(),
  error: z.enum(['unavailable', 'failed']).optional(),
  retry_in_ms: ms.optional(),
})
export type ModelStep = z.infer<typeof ModelStep>

export const ScriptFile = z.strictObject({
  agent: z.array(AgentStep).default([]),
  model: z.array(ModelStep).default([]),
  /** A file that gets a JSON line for each call of the model: its prompts and settings. */
  record: z.string().optional(),
})
export type ScriptFile = z.infer<typeof ScriptFile>
