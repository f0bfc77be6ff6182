import { z } from 'zod'
import { RunInput } from '../modes/delivery/contract/input.ts'
import { RefinementRequest } from '../modes/refinement/contract/request.ts'
import { Caps, Ref } from './values.ts'

const texts = z.array(z.string()).readonly()

const FrozenAgent = z.object({ name: z.string(), argv: z.tuple([z.string()], z.string()).readonly() }).readonly()
export type FrozenAgent = z.infer<typeof FrozenAgent>

/** What a procedure was started with. Prompt files are read anew for each iteration; commands are frozen here. */
export const ProcedureRequest = z
  .object({
    phases: z.object({ observe: texts, orient: texts, decide: texts, act: texts }).readonly(),
    /** Texts; one line ending in .md or .txt, or an object, names a file. */
    context: z.array(z.union([z.string(), z.object({ file: z.string() }).readonly()])).readonly(),
    gates: texts,
    agent: FrozenAgent,
    silenceMs: z.number().optional(),
    /** Estimated tokens of a prompt above which a warning is shown. */
    tokenBudget: z.number().optional(),
    /** Iterations that lead nowhere end the run. */
    stuck: z.boolean().optional(),
    until: z.enum(['never', 'gates', 'promise+gates']),
    /** Reaching the maximum with a red gate is a success, as seed 002 has it. */
    redIsFine: z.boolean(),
  })
  .readonly()
export type ProcedureRequest = z.infer<typeof ProcedureRequest>

/** What a delivery was started with. The plan is content: it may be long, and it may be replaced. */
export const DeliveryRequest = z
  .object({
    input: RunInput,
    plan: Ref,
    agent: FrozenAgent,
    silenceMs: z.number().optional(),
    /** Each verified story becomes a commit on the branch, and not only a ref. */
    commit: z.boolean(),
    author: z.object({ name: z.string(), email: z.string() }).readonly().optional(),
  })
  .readonly()
export type DeliveryRequest = z.infer<typeof DeliveryRequest>

const common = {
  contract_version: z.literal(1),
  run_id: z.string(),
  name: z.string(),
  workspace: z.string(),
  created: z.string(),
  invoked_as: z.string(),
  durability: z.enum(['strict', 'best-effort']),
  sandbox: z.enum(['auto', 'required', 'off']),
  env: texts,
  secrets: texts,
  caps: Caps,
  origins: z.record(z.string(), z.string()).readonly(),
  /** Who is told what becomes of the run, besides whoever sits in front of it. */
  notify: z.object({ command: z.string().optional(), webhook: z.string().optional() }).readonly().optional(),
  bell: z.boolean().optional(),
}

const ProcedureRun = z.object({ ...common, mode: z.literal('procedure'), procedure: ProcedureRequest }).readonly()
export type ProcedureRun = z.infer<typeof ProcedureRun>
const DeliveryRun = z.object({ ...common, mode: z.literal('delivery'), delivery: DeliveryRequest }).readonly()
export type DeliveryRun = z.infer<typeof DeliveryRun>
const RefinementRun = z.object({ ...common, mode: z.literal('refinement'), refinement: RefinementRequest }).readonly()
export type RefinementRun = z.infer<typeof RefinementRun>

/** `request.json`: everything a run needs to go on, frozen when it started. Its hash is in the journal's first event. */
export const RunRequest = z.discriminatedUnion('mode', [ProcedureRun, DeliveryRun, RefinementRun])
export type RunRequest = z.infer<typeof RunRequest>
