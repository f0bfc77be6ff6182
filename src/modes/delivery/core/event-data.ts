import { z } from 'zod'
import type { Outcome, Task, Verdict } from '../../../contract/event.ts'
import { Json, Ref } from '../../../contract/values.ts'
import { evidences, Tampering } from '../contract/result.ts'

/** A state of the work tree: the id of a git tree. */
export type Tree = string
const Tree = z.string()

/** Which work a task is, and of which story. */
const Job = z
  .object({ do: z.enum(['story', 'baseline', 'keep', 'put-away', 'verify-run']), story: z.string() })
  .readonly()
export type Job = z.infer<typeof Job>

/** What attempts tell beside their status. Everything the agent says of itself is a hint. */
const AttemptData = z
  .object({
    fault: z.enum(['limit', 'provider', 'login', 'repository']),
    exitCode: z.number().nullable(),
    promise: z.string(),
    /** What the agent says would unblock it. */
    plea: z.string(),
    changed: z.boolean(),
    /** How often the agent was not allowed to do something. */
    denied: z.number(),
    /** The tree before and after the agent. */
    before: Tree,
    tree: Tree,
    tampering: z.array(Tampering).readonly(),
    diff: Ref,
    /** Of a baseline. */
    was: z.enum(['red', 'green']),
    head: z.string().nullable(),
    commit: z.string().nullable(),
    /** The story is none of the plan any more. */
    stale: z.literal(true),
  })
  .partial()
  .readonly()
export type AttemptData = z.infer<typeof AttemptData>

/** What a verdict says beside its status. */
const VerdictData = z
  .object({
    by: z.enum(['agent', 'time', 'command', 'tampering', 'evidence', 'unkept', 'stale']),
    command: z.number(),
    evidence: z.enum(evidences),
    tree: Tree,
    mark: z.string(),
    hopeless: z.literal(true),
    blocked: z.literal(true),
    /** What was touched while it was verified. */
    tampering: z.array(Tampering).readonly(),
  })
  .partial()
  .readonly()
export type VerdictData = z.infer<typeof VerdictData>

/** What was changed when somebody went on with the run. */
const Amendment = z
  .object({
    plan: z.string(),
    agent: z.string(),
    tampering: z.enum(['warn', 'block', 'ask']),
    runCommands: z.number(),
  })
  .partial()
  .readonly()
export type Amendment = z.infer<typeof Amendment>

/** Checked where a line of the journal is read, so that the accessors below may take it as it is. Other keys pass. */
export const deliveryData = {
  task: Job.optional(),
  chore: Job,
  call: Json.optional(),
  outcome: AttemptData.optional(),
  verdict: VerdictData.optional(),
  terms: Amendment,
}

export const readJob = (task: Task | undefined): Job =>
  task?.kind === 'chore' ? (task.data as Job) : { do: 'story', story: task?.id ?? '' }

export const attemptData = (outcome: Outcome | undefined): AttemptData => (outcome?.data ?? {}) as AttemptData

export const verdictData = (verdict: Verdict | undefined): VerdictData => (verdict?.data ?? {}) as VerdictData

export const readAmendment = (terms: Json): Amendment => terms as Amendment
