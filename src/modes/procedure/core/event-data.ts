import { z } from 'zod'
import type { Note, Outcome, Verdict } from '../../../contract/event.ts'
import { Json } from '../../../contract/values.ts'
import { ProcedureRequest } from '../contract/request.ts'

/** What an attempt tells beside its status. Everything the agent says of itself is a hint. */
const OutcomeData = z
  .object({
    promise: z.enum(['SUCCESS', 'FAILURE', 'BLOCKED']),
    exitCode: z.number().nullable(),
    fault: z.enum(['limit', 'provider', 'login', 'prompt']),
    /** Whether any file did; null where nobody could look. */
    changed: z.boolean().nullable(),
    /** How often the agent was not allowed to do what it wanted to do. */
    denied: z.number(),
    promptTokens: z.number(),
    /** The commit that the attempt left behind. */
    head: z.string().nullable(),
  })
  .partial()
  .catchall(Json)
type OutcomeData = z.infer<typeof OutcomeData>

const VerdictData = z
  .object({
    /** Who failed. */
    by: z.enum(['agent', 'gate']),
    /** The index of the gate that failed. */
    gate: z.number(),
    /** How many gates passed. */
    gates: z.number(),
    /** The same for the same failure. */
    mark: z.string(),
  })
  .partial()
  .catchall(Json)
type VerdictData = z.infer<typeof VerdictData>

/** What a person changed when going on with the run. */
const AmendedTerms = z
  .object({ agent: z.string(), until: ProcedureRequest.unwrap().shape.until })
  .catchall(Json)
  .readonly()
export type AmendedTerms = z.infer<typeof AmendedTerms>

/** Applied to every event before it reaches the functions below. */
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
