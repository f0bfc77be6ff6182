import { z } from 'zod'
import { Reason } from './reasons.ts'
import { Caps, Json, Ref, Usage } from './values.ts'

/** One unit of progress. Chores are the run's own work and never burn attempt caps. */
export const Task = z
  .object({
    id: z.string(),
    kind: z.enum(['work', 'chore']),
    via: z.string().optional(),
    /** Attempts made when this task was picked before: numbering goes on from there. */
    tried: z.number().optional(),
    data: Json.optional(),
  })
  .readonly()
export type Task = z.infer<typeof Task>

/** One model or agent call and what it cost, found again by `key` within its attempt. */
export const Call = z
  .object({
    key: z.string(),
    via: z.string(),
    status: z.enum(['ok', 'failed', 'unavailable']),
    usage: Usage,
    providerMs: z.number(),
    /** Not the work itself, such as judging it: counted apart. */
    overhead: z.literal(true).optional(),
    output: Ref.optional(),
    data: Json.optional(),
  })
  .readonly()
export type Call = z.infer<typeof Call>

/** What an attempt came to. Only ok, failed and timed-out burn an attempt. */
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

/** What a person is asked. `topic` is a code that surfaces make a sentence of; longer text is content and lies in `about`. */
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
  z.object({ id: z.number().int(), by: z.string().max(200), say: z.literal(say), ...shape }).readonly()

/** Everything a person sends. Numbered by the inbox, recorded once by the run's one writer. */
export const Note = z.discriminatedUnion('say', [
  noteSchema('answer', {
    questionId: z.string().max(200),
    choice: z.string().max(200).optional(),
    /** Parts of what was asked about that a person picked, by their ids: an approval change by change. */
    picks: z.array(z.string().max(200)).max(1000).readonly().optional(),
    text: Ref.optional(),
  }),
  noteSchema('pause', {}),
  noteSchema('cancel', {}),
  noteSchema('skip-wait', {}),
  noteSchema('raise', { caps: Caps }),
  noteSchema('feedback', { text: Ref }),
  /** From here on the run goes by another request; a policy reads what it goes by from the note itself. */
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
    /** Where each cap was set, for people: "flag --max-iterations", ".pawl/config.yml:12". */
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
 * `ms` is monotonic time since the previous event of the same process, so sleep, downtime and clock steps never count.
 * `at` is wall-clock time, for display and for waits that name a moment.
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
/** The journal adds the writer's epoch when it stores a draft. */
export type LoopEvent = Draft & { readonly epoch: number }
