import { z } from 'zod'
import type { Note, Outcome, Verdict } from '../../../contract/event.ts'
import { Json } from '../../../contract/values.ts'
import { ProcedureRequest } from '../contract/request.ts'

/** Details of an attempt. Everything the agent reports about itself is only a hint. */
const OutcomeData = z
  .object({
    promise: z.enum(['SUCCESS', 'FAILURE', 'BLOCKED']),
    exitCode: z.number().nullable(),
    fault: z.enum(['limit', 'provider', 'login', 'prompt']),
    /** False if the agent failed before any model reply or tool call. */
    worked: z.boolean(),
    /** Whether any file changed; null if unknown. */
    changed: z.boolean().nullable(),
    /** How often the agent was denied permission. */
    denied: z.number(),
    /** The first of them: tool and argument. */
    denials: z.array(z.string()),
    promptTokens: z.number(),
    /** HEAD after the attempt. */
    head: z.string().nullable(),
  })
  .partial()
  .catchall(Json)
type OutcomeData = z.infer<typeof OutcomeData>

const VerdictData = z
  .object({
    by: z.enum(['agent', 'gate']),
    /** The index of the gate that failed. */
    gate: z.number(),
    /** How many gates passed. */
    gates: z.number(),
    /** Fingerprint of the failure. */
    mark: z.string(),
  })
  .partial()
  .catchall(Json)
type VerdictData = z.infer<typeof VerdictData>

/** Changes made on resume. */
const AmendedTerms = z
  .object({ agent: z.string(), until: ProcedureRequest.unwrap().shape.until })
  .catchall(Json)
  .readonly()
export type AmendedTerms = z.infer<typeof AmendedTerms>

/** Parses the data of every event before the functions below see it. */
export const procedureData = {
  task: Json.optional(),
  call: Json.optional(),
  outcome: OutcomeData.optional() as z.ZodType<Outcome['data']>,
  verdict: VerdictData.optional() as z.ZodType<Verdict['data']>,
  terms: AmendedTerms,
}

export const outcomeData = (outcome: Outcome | undefined): OutcomeData => (outcome?.data ?? {}) as OutcomeData
export const verdictData = (verdict: Verdict | undefined): VerdictData => (verdict?.data ?? {}) as VerdictData
export const amendedTerms = ({ terms }: Extract<Note, { say: 'amend' }>): AmendedTerms => terms as AmendedTerms
