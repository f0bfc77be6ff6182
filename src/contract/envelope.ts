import { z } from 'zod'
import { Caps } from './values.ts'

const texts = z.array(z.string()).readonly()

/** The command that a run starts as its agent, frozen when the run began. */
export const FrozenAgent = z.object({ name: z.string(), argv: z.tuple([z.string()], z.string()).readonly() }).readonly()
export type FrozenAgent = z.infer<typeof FrozenAgent>

/** `request.json`: what every mode has. The mode's own part stands under `with`, and only that mode reads it. */
export const Envelope = z
  .object({
    contract_version: z.literal(2),
    run_id: z.string(),
    mode: z.string(),
    name: z.string(),
    workspace: z.string(),
    created: z.iso.datetime(),
    /** The name that the program was called by. */
    invoked_as: z.string(),
    durability: z.enum(['strict', 'best-effort']),
    sandbox: z.enum(['auto', 'required', 'off']),
    env: texts,
    secrets: texts,
    caps: Caps,
    /** Where each cap was set, for people. */
    origins: z.record(z.string(), z.string()).readonly(),
    /** Who else is told what becomes of the run. */
    notify: z.object({ command: z.string().optional(), webhook: z.string().optional() }).readonly().optional(),
    bell: z.boolean().optional(),
    with: z.unknown(),
  })
  .readonly()
export type Envelope = z.infer<typeof Envelope>
