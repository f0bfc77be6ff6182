import { z } from 'zod'
import { Caps } from './values.ts'

const texts = z.array(z.string()).readonly()

/** The command that starts a run's agent, fixed when the run was created. */
export const FrozenAgent = z.object({ name: z.string(), argv: z.tuple([z.string()], z.string()).readonly() }).readonly()
export type FrozenAgent = z.infer<typeof FrozenAgent>

/** `request.json`: the part common to all modes. The mode's own part is in `with`, and only the mode parses it. */
export const Envelope = z
  .object({
    contract_version: z.literal(2),
    run_id: z.string(),
    mode: z.string(),
    name: z.string(),
    workspace: z.string(),
    /** Set if workers clone the repository instead of finding it at `workspace`. */
    clone: z.object({ url: z.string(), commit: z.string(), branch: z.string() }).readonly().optional(),
    created: z.iso.datetime(),
    /** The name the program was started by. */
    invoked_as: z.string(),
    durability: z.enum(['strict', 'best-effort']),
    sandbox: z.enum(['auto', 'required', 'off']),
    env: texts,
    secrets: texts,
    caps: Caps,
    /** The source of each cap, for people: "flag --max-iterations", ".pawl/config.yml:12". */
    origins: z.record(z.string(), z.string()).readonly(),
    /** The recipients of notifications. */
    notify: z.object({ command: z.string().optional(), webhook: z.string().optional() }).readonly().optional(),
    bell: z.boolean().optional(),
    with: z.unknown(),
  })
  .readonly()
export type Envelope = z.infer<typeof Envelope>
