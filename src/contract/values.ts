import { z } from 'zod'

// Compiling each schema at its first use takes longer than most commands do, and saves a tenth of the time of many uses.
z.config({ jitless: true })

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export const Json: z.ZodType<Json> = z.json()

/** Content that lies beside the journal: a path inside the run's folder and what must be found there. */
export const Ref = z.object({ path: z.string(), sha256: z.string(), bytes: z.number() }).readonly()
export type Ref = z.infer<typeof Ref>

/** `null` means unknown, never zero. */
export const Usage = z
  .object({ tokens: z.number().nullable(), costUsd: z.number().nullable(), estimated: z.literal(true).optional() })
  .readonly()
export type Usage = z.infer<typeof Usage>

export const capNames = [
  'tasks',
  'attemptsPerTask',
  'attemptsPerRun',
  'tokens',
  'overheadTokens',
  'costUsd',
  'activeMs',
  'taskMs',
  'attemptMs',
  'waitMs',
  'failuresInARow',
  'interruptionsInARow',
  'escalations',
] as const
export type CapName = (typeof capNames)[number]

/** An absent cap is unlimited. */
export const Caps = z.partialRecord(z.enum(capNames), z.number().nonnegative()).readonly()
export type Caps = z.infer<typeof Caps>
