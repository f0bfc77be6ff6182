import { z } from 'zod'

/** `.rooda/state/<procedure>.json` in the format of seed 002. For other programs; the journal is authoritative. */
export const StateFile = z.object({
  iteration: z.int().nonnegative(),
  max_iterations: z.int().nonnegative(),
  consecutive_failures: z.int().nonnegative(),
  failure_threshold: z.int().nonnegative(),
  started_at: z.string(),
  last_iteration_at: z.string(),
  status: z.enum(['running', 'paused', 'completed', 'aborted', 'interrupted']),
  procedure_name: z.string(),
  elapsed_per_iteration: z.array(z.string()),
})
export type StateFile = z.infer<typeof StateFile>
