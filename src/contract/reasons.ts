import { z } from 'zod'
import { capNames, Json } from './values.ts'

/**
 * Why a run stopped, waits or asks: a code and its fields, never a sentence. `show` makes sentences of it, from the mode's table.
 * It is stored in journal lines, so it holds ids, numbers and enums; never text that people or models wrote.
 */
export const Reason = z
  .object({ code: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/) })
  .catchall(Json)
  .readonly()
export type Reason = z.infer<typeof Reason>

/** For each code the shape of its fields. The kernel has one such table, and each mode has its own. */
export type ReasonShapes = Readonly<Record<string, z.ZodRawShape>>

/** The kernel's own reasons. A mode may use them too, and must be able to format all of them. */
export const kernelReasons = {
  /** A bound is used up, and the policy had no other answer. */
  cap_spent: { cap: z.enum(capNames) },
  /** The policy asked for something that the kernel does not allow at this point. */
  not_allowed: { decision: z.string() },
  too_many_chores: { count: z.number() },
  cancelled: { by: z.string() },
  /** The topic of the question that a pause asks. */
  paused: {},
} as const satisfies ReasonShapes

/** Waits that several modes know. */
export const waitReasons = {
  usage_limit: {},
  agent_unavailable: {},
  command_unavailable: {},
} as const satisfies ReasonShapes
