import { z } from 'zod'

export const reasons = [
  'plan_generation_failed',
  'agent_exit_nonzero',
  'agent_timeout',
  'story_verification_failed',
  'run_verification_failed',
  'attempt_budget_exhausted',
  'run_timeout',
  'blocked_dependency',
] as const
export type Reason = (typeof reasons)[number]
export const isReason = (text: string): text is Reason => (reasons as readonly string[]).includes(text)

/** The exit code for each reason: 10 wait for a person, 20 call again, 30 change something first. */
export const reasonExits = {
  plan_generation_failed: 30,
  agent_exit_nonzero: 20,
  agent_timeout: 20,
  story_verification_failed: 30,
  run_verification_failed: 30,
  attempt_budget_exhausted: 30,
  run_timeout: 20,
  blocked_dependency: 10,
} as const satisfies Record<Reason, number>

export const nextActions = ['open_pr', 'retry', 'unblock', 'fix_spec', 'review'] as const
export type NextAction = (typeof nextActions)[number]

export const tamperings = [
  'test-deleted',
  'test-skipped',
  'test-weakened',
  'test-changed',
  'script-changed',
  'ci-changed',
  'runner-replaced',
  'config-changed',
  'lint-changed',
  'hook-planted',
  'result-faked',
] as const

/** A change by an attempt to something that decides verification. */
export const Tampering = z
  .object({
    kind: z.enum(tamperings),
    path: z.string(),
    /** One line for a person: before and after. */
    says: z.string(),
    attempt: z.int(),
    /** The story mentions this file, so a change to it is expected. */
    expected: z.boolean(),
  })
  .readonly()
export type Tampering = z.infer<typeof Tampering>

const storyStatuses = ['pending', 'done', 'failed', 'blocked', 'skipped'] as const
const verifications = ['passed', 'failed', 'not_run'] as const

/** The work tree, a copy of the repository from before the first agent at the same path, or one at another path. */
export const places = ['work_tree', 'clean_room', 'clean_room_copy'] as const

/**
 * proven: the commands were red before and are green now. held: they were green before and stayed green after the
 * changes. unproven: green, but git sees no change, or the tests do not notice altered values. proven_by_new_tests: the story's new tests fail on the
 * old product. rewritten: green only with tests or settings that the story changed, or, in the work tree, with such changes.
 */
export const evidences = ['proven', 'proven_by_new_tests', 'rewritten', 'held', 'unproven'] as const
export type Evidence = (typeof evidences)[number]

/** Runs of the commands on one tree, or on several of a kind: the name, how they ended, and how many in a row there were, if more than one. */
export const OtherRun = z
  .object({ run: z.string(), ended: z.enum(['red', 'green']), times: z.int().optional() })
  .readonly()
export type OtherRun = z.infer<typeof OtherRun>

/** Tests that failed before a story and still do, which `verification.results` allows: how many, and the names of the first. */
export const RedTests = z.object({ count: z.int(), tests: z.array(z.string()).readonly() }).readonly()
export type RedTests = z.infer<typeof RedTests>

const StoryResult = z
  .object({
    id: z.string(),
    title: z.string(),
    status: z.enum(storyStatuses),
    attempts: z.int(),
    verification: z.enum(verifications),
    evidence: z.enum(evidences).nullable(),
    /** Why the story failed or is blocked. */
    reason: z.enum(reasons).nullable(),
    /** One line for a person: why the last attempt failed, what would unblock it, or which story caused the skip. */
    because: z.string().nullable(),
    tampering: z.array(Tampering).readonly(),
    /** The story's commit: on the branch (`pawl deliver`) or under `refs/pawl/<run>/<story>`. */
    commit: z.string().nullable(),
    /** Additive: where its commands ran when it was verified. */
    verified_in: z.enum(places).optional(),
    /** Additive: runs on other trees, which show what the green commands mean. docs/deliver.md explains the names. */
    runs: z.array(OtherRun).readonly().optional(),
    /** Additive: files that the verification commands changed. They ran again and passed on the changed files. */
    rewritten: z.array(z.string()).readonly().optional(),
  })
  .readonly()
export type StoryResult = z.infer<typeof StoryResult>

/** `result.json` of a delivery. Written whenever a run stops, if the out-dir is writable. */
export const DeliveryResult = z
  .object({
    contract_version: z.literal(1),
    run_id: z.string(),
    status: z.enum(['success', 'failed', 'blocked', 'interrupted']),
    reason: z.enum(reasons).nullable(),
    stories: z.array(StoryResult).readonly(),
    run_verification: z.enum(verifications),
    /** Additive: tests that no story has turned green. Absent if there are none, or if single tests cannot be told apart. */
    still_red: RedTests.optional(),
    summary: z
      .object({ completed: z.int(), failed: z.int(), skipped: z.int(), pending: z.int(), blocked: z.int() })
      .readonly(),
    next_action: z.enum(nextActions),
    /** One line for a person, including what would unblock the run. */
    detail: z.string().nullable(),
    exit: z.int(),
    /** The last event of `progress.ndjson` that this result covers. */
    seq: z.int(),
    cancelled_by: z.string().optional(),
    error: z.object({ code: z.string(), message: z.string(), pointer: z.string().optional() }).readonly().optional(),
    spend: z
      .object({
        attempts: z.int(),
        tokens: z.int(),
        cost_usd: z.number(),
        /** Calls without a token count. */
        unknown_calls: z.int(),
        active_ms: z.int(),
        wait_ms: z.int(),
      })
      .readonly(),
    sandbox: z.enum(['bubblewrap', 'none']).nullable(),
  })
  .readonly()
export type DeliveryResult = z.infer<typeof DeliveryResult>
