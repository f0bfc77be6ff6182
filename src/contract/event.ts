import { z } from 'zod'
import { Reason } from './reasons.ts'
import { Caps, Json, Ref, Usage } from './values.ts'

/** One unit of progress. Chores are the run's own housekeeping and never count against attempt caps. */
export const Task = z
  .object({
    id: z.string(),
    kind: z.enum(['work', 'chore']),
    via: z.string().optional(),
    /** Attempts made when this task was picked before; numbering continues from there. */
    tried: z.number().optional(),
    data: Json.optional(),
  })
  .readonly()
export type Task = z.infer<typeof Task>

/** One model or agent call and its cost. `key` identifies it within its attempt. */
export const Call = z
  .object({
    key: z.string(),
    via: z.string(),
    status: z.enum(['ok', 'failed', 'unavailable']),
    usage: Usage,
    providerMs: z.number(),
    /** Not the work itself, such as judging it. Counted separately. */
    overhead: z.literal(true).optional(),
    output: Ref.optional(),
    data: Json.optional(),
  })
  .readonly()
export type Call = z.infer<typeof Call>

/** The result of an attempt. Only `ok`, `failed` and `timed-out` use up an attempt. */
export const Outcome = z
  .object({
    status: z.enum(['ok', 'failed', 'timed-out', 'interrupted', 'unavailable']),
    output: Ref.optional(),
    data: Json.optional(),
    detail: z.string().optional(),
    retryAt: z.number().optional(),
  })
  .readonly()
export type Outcome = z.infer<typeof Outcome>

export const Verdict = z
  .object({
    status: z.enum(['passed', 'failed', 'unavailable']),
    score: z.number().optional(),
    evidence: Ref.optional(),
    data: Json.optional(),
    detail: z.string().optional(),
    retryAt: z.number().optional(),
  })
  .readonly()
export type Verdict = z.infer<typeof Verdict>

/** A question to a person. `topic` is a code that surfaces turn into a sentence; `about` refers to longer text. */
export const Question = z
  .object({
    id: z.string(),
    topic: Reason,
    choices: z.array(z.string()).readonly().optional(),
    about: Ref.optional(),
  })
  .readonly()
export type Question = z.infer<typeof Question>

export const endings = ['completed', 'failed', 'blocked', 'cancelled'] as const
export type Ending = (typeof endings)[number]

const Stop = z.object({ do: z.literal('stop'), ending: z.enum(endings), reason: Reason }).readonly()
export type Stop = z.infer<typeof Stop>

export const Decision = z.discriminatedUnion('do', [
  z.object({ do: z.literal('settle'), as: z.enum(['done', 'failed', 'blocked', 'interrupted']) }).readonly(),
  z.object({ do: z.literal('retry'), afterMs: z.number().optional() }).readonly(),
  z.object({ do: z.literal('escalate'), via: z.string(), grace: z.literal(true).optional() }).readonly(),
  z.object({ do: z.literal('failover'), via: z.string() }).readonly(),
  z.object({ do: z.literal('wait'), until: z.number(), reason: Reason }).readonly(),
  z.object({ do: z.literal('pause'), question: Question }).readonly(),
  z.object({ do: z.literal('raise'), caps: Caps }).readonly(),
  Stop,
])
export type Decision = z.infer<typeof Decision>

const noteSchema = <S extends string, Shape extends z.ZodRawShape>(say: S, shape: Shape) =>
  z
    .object({
      id: z.number().int(),
      by: z.string().max(200),
      say: z.literal(say),
      /** The last event that the sender knew. A note from before a reopening changes nothing after it. */
      seen: z.number().int().optional(),
      ...shape,
    })
    .readonly()

/** A message from a person to a run. Numbered by the inbox and recorded once by the run's only writer. */
export const Note = z.discriminatedUnion('say', [
  noteSchema('answer', {
    questionId: z.string().max(200),
    choice: z.string().max(200).optional(),
    /** Ids of the parts a person picked, for example when approving change by change. */
    picks: z.array(z.string().max(200)).max(1000).readonly().optional(),
    text: Ref.optional(),
  }),
  noteSchema('pause', {}),
  /** Ends a pause, or a pause that has not begun yet. */
  noteSchema('unpause', {}),
  noteSchema('cancel', {}),
  noteSchema('skip-wait', {}),
  noteSchema('raise', { caps: Caps }),
  noteSchema('feedback', { text: Ref }),
  /** From here on the run uses another request. `terms` is the part that the policy reads. */
  noteSchema('amend', { request: Ref, terms: Json }),
])
export type Note = z.infer<typeof Note>
type Unnumbered<N> = N extends unknown ? Omit<N, 'id'> : never
export type NewNote = Unnumbered<Note>

const factSchema = <T extends string, Shape extends z.ZodRawShape>(type: T, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape })

export const facts = [
  factSchema('run-started', {
    journal: z.literal(2),
    policy: z.string(),
    version: z.number(),
    caps: Caps,
    pins: z.record(z.string(), z.string()),
    /** The source of each cap, for people: "flag --max-iterations", ".pawl/config.yml:12". */
    origins: z.record(z.string(), z.string()).optional(),
  }),
  factSchema('run-resumed', {}),
  factSchema('run-interrupted', { by: z.string() }),
  factSchema('run-reopened', { by: z.string(), caps: Caps.optional() }),
  factSchema('run-ended', { ending: z.enum(endings), reason: Reason }),
  factSchema('task-picked', { picked: Task }),
  factSchema('attempt-started', { via: z.string() }),
  factSchema('call-ended', { call: Call }),
  factSchema('attempt-ended', { outcome: Outcome }),
  factSchema('verdict-reached', { verdict: Verdict }),
  factSchema('decision-made', { decision: Decision, by: z.string() }),
  factSchema('wait-ended', { skipped: z.boolean() }),
  factSchema('note-received', { note: Note }),
] as const
export const Fact = z.discriminatedUnion('type', facts)
export type Fact = z.infer<typeof Fact>

/**
 * `ms` is monotonic time since the previous event of the same process: sleep, downtime and clock changes never count. After a
 * crash, `run-resumed` has the time that the earlier process is known to have worked after its last event.
 * `at` is wall-clock time, for display and for waits until a given time.
 */
export type Stamp = {
  readonly seq: number
  readonly at: number
  readonly ms: number
  readonly task: string | null
  readonly chore?: true | undefined
  readonly attempt: number | null
}
export type Draft = Fact & Stamp
/** A stored draft. The journal adds the writer's epoch. */
export type LoopEvent = Draft & { readonly epoch: number }
