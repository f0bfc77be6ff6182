import { z } from 'zod'
import { capNames, Json } from './values.ts'

/**
 * Why a run stopped, waits or asks: a code and its fields, never a sentence. `show` formats it with the mode's table. Reasons are
 * stored in the journal, so they hold ids, numbers and enums, never text that people or models wrote.
 */
export const Reason = z
  .object({ code: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/) })
  .catchall(Json)
  .readonly()
export type Reason = z.infer<typeof Reason>

/** The fields of each reason code. The kernel has one table, and each mode has its own. */
export type ReasonShapes = Readonly<Record<string, z.ZodRawShape>>

/** Reasons of the kernel. A mode may use them too, and must be able to format all of them. */
export const kernelReasons = {
  /** A cap is spent, and the policy had no allowed alternative. */
  cap_spent: { cap: z.enum(capNames) },
  /** The policy made a decision that the kernel does not allow at this point. */
  not_allowed: { decision: z.string() },
  too_many_chores: { count: z.number() },
  cancelled: { by: z.string() },
  /** Topic of the question that a pause asks. */
  paused: {},
} as const satisfies ReasonShapes

/** Wait reasons shared by several modes. */
export const waitReasons = {
  usage_limit: {},
  agent_unavailable: {},
  command_unavailable: {},
} as const satisfies ReasonShapes
