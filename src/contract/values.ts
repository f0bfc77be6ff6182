import { z } from 'zod'

// Compiling schemas takes longer than most commands run and makes later uses only about 10 % faster.
z.config({ jitless: true })

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export const Json: z.ZodType<Json> = z.json()

/** A reference to content stored next to the journal: its path in the run's folder, its hash and its size. */
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
