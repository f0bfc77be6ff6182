import { z } from 'zod'
import type { Outcome, Task, Verdict } from '../../../contract/event.ts'
import { Json, Ref } from '../../../contract/values.ts'
import { evidences, OtherRun, places, RedTests, Tampering } from '../contract/result.ts'

/** The git tree id of a work tree state. */
export type Tree = string
const Tree = z.string()

/** The work of a task, and its story. */
const Job = z
  .object({ do: z.enum(['story', 'baseline', 'keep', 'put-away', 'verify-run', 'check']), story: z.string() })
  .readonly()
export type Job = z.infer<typeof Job>

/** Details of an attempt. The agent's own claims are only hints. */
const AttemptData = z
  .object({
    fault: z.enum(['limit', 'provider', 'login', 'start', 'repository']),
    exitCode: z.number().nullable(),
    promise: z.string(),
    /** The agent's own words on what would unblock it. */
    plea: z.string(),
    changed: z.boolean(),
    /** Number of permission denials. */
    denied: z.number(),
    /** The first of them: tool and argument. */
    denials: z.array(z.string()).readonly(),
    /** The tree before and after the agent ran. */
    before: Tree,
    tree: Tree,
    tampering: z.array(Tampering).readonly(),
    diff: Ref,
    /** Set by a baseline: the result of the story's commands before its first attempt. */
    was: z.enum(['red', 'green']),
    /** Set by a baseline: which of the story's commands failed. */
    command: z.number(),
    /** Set by a baseline: how single tests ended, as JSON. */
    ids: Ref,
    head: z.string().nullable(),
    commit: z.string().nullable(),
    /** Set by a baseline: files, or folders with a slash, that the commands changed before any work, such as reports. */
    churn: z.array(z.string()).readonly(),
    /** Set by a check: finished stories that the branch no longer contains. */
    removed: z.array(z.string()).readonly(),
    /** The story is no longer in the plan. */
    stale: z.literal(true),
  })
  .partial()
  .readonly()
export type AttemptData = z.infer<typeof AttemptData>

/** Details of a verdict. */
const VerdictData = z
  .object({
    by: z.enum(['agent', 'time', 'command', 'tampering', 'evidence', 'unkept', 'unstable', 'stale']),
    command: z.number(),
    evidence: z.enum(evidences),
    tree: Tree,
    mark: z.string(),
    /** The work tree after the commands. */
    left: Tree,
    /** The place of the verification. Older runs do not name it. */
    place: z.enum(places),
    /** Runs on other trees, which show what the green commands mean. */
    runs: z.array(OtherRun).readonly(),
    /** Tests that failed before the story and still do. */
    red: RedTests,
    hopeless: z.literal(true),
    blocked: z.literal(true),
    /** The story's time ran out while a command was running. */
    late: z.literal(true),
    /** Files that the commands themselves changed. */
    moved: z.array(z.string()).readonly(),
    /** Tampering found while the commands ran. */
    tampering: z.array(Tampering).readonly(),
  })
  .partial()
  .readonly()
export type VerdictData = z.infer<typeof VerdictData>

/** Terms changed when the run was resumed. */
const Amendment = z
  .object({
    plan: z.string(),
    agent: z.string(),
    tampering: z.enum(['warn', 'block', 'ask']),
    runCommands: z.number(),
    /** A story whose changes a person reverted. `leave`: the run ends again after that. */
    undone: z.string(),
    leave: z.literal(true),
  })
  .partial()
  .readonly()
export type Amendment = z.infer<typeof Amendment>

/** Validated when a journal line is read, so the accessors below may cast. Unknown keys pass. */
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
