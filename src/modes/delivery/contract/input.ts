import { z } from 'zod'

// The message of each check follows "allowed:" when a value is refused.

const name = 'a name of 1 to 100 letters, digits, ".", "_" and "-" that begins with a letter or digit'
/** Used as a folder name, a git ref and a lock, so it has no special characters. */
export const RunId = z
  .string(name)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/, name)
  .max(100, name)
  .refine((id) => !id.endsWith('.lock'), name)

const path = (allowed: string) =>
  z
    .string(allowed)
    .min(1, allowed)
    .max(4096, allowed)
    .refine((text) => !/[\0\r\n]/.test(text), allowed)
const repoPath = 'an absolute path'
const prdPath = 'a path inside the repository, relative to it'
const branch = 'the name of a branch'
const Branch = z
  .string(branch)
  .max(250, branch)
  .regex(/^(?![-/.])(?!.*(?:\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)))[^\0-\x20\x7f~^:?*[\\]+(?<![/.])$/, branch)

const attempts = 'a whole number from 1 to 1000'
const runAttempts = 'a whole number from 1 to 100000'
const Attempts = z.int(attempts).min(1, attempts).max(1000, attempts)
const minutes = 'a number of minutes, more than 0 and at most 35000'
// Node's timers overflow past 24 days and fire at once.
const Minutes = z.number(minutes).positive(minutes).max(35_000, minutes)
const waitMinutes = 'a number of minutes, 0 for never, at most 35000'

const command = 'a command: text of 1 to 32768 characters, not blank, without NUL'
const Command = z
  .string(command)
  .max(32_768, command)
  .refine((text) => text.trim() !== '' && !text.includes('\0'), command)
const Commands = z.array(Command, 'a list of commands').max(200, 'at most 200 commands')
const word = 'the first word of a command, such as npm'
const requirement = 'ids of requirements or stories, such as AC-01 or S2, each with a list of commands'

const results = 'tap, go-json, pytest, cargo, spec, junit or json, or the path of a file that the command writes'
const globs = 'a list of globs, such as checks/**/*.js'

export const Limits = z.strictObject(
  {
    story_max_attempts: Attempts.default(4),
    run_max_attempts: z.int(runAttempts).min(1, runAttempts).max(100_000, runAttempts).default(20),
    story_timeout_minutes: Minutes.default(20),
    run_timeout_minutes: Minutes.default(180),
    /** Additive: total time that the run may wait for usage limits. */
    wait_minutes: z.number(waitMinutes).nonnegative(waitMinutes).max(35_000, waitMinutes).default(360),
  },
  'an object',
)
export type Limits = z.output<typeof Limits>

export const Verification = z.strictObject(
  {
    /** Run in order for each story. `{story_id}` is replaced by the story's id. */
    story_commands: Commands,
    run_commands: Commands,
    /** Additive: extra commands for single requirements or stories. */
    by_requirement: z.record(z.string().min(1, requirement).max(200, requirement), Commands, requirement).optional(),
    /** Additive: installs dependencies. It runs in the clean room if the manifests or lock files of a tree differ from those of the start. */
    setup: Commands.optional(),
    /** Additive: runs before the commands, each time: `reset` clears state outside the files, `prepare` generates or builds what tests need. */
    reset: Commands.optional(),
    prepare: Commands.optional(),
    /** Additive: formats the work of a story in the clean room, before it is verified. */
    format: Commands.optional(),
    /** Additive: where the results of single tests are: a format of the output, or a file that the command writes. */
    results: z.string(results).min(1, results).max(1000, results).optional(),
    /** Additive: globs of further files that are tests. */
    tests: z.array(z.string(globs).min(1, globs).max(1000, globs), globs).max(200, globs).optional(),
    /** Additive: if set, the first word of every command must be in this list. */
    allow: z.array(z.string(word).min(1, word).max(256, word), 'a list of program names').optional(),
  },
  'an object with story_commands and run_commands',
)
export type Verification = z.output<typeof Verification>

const mode = 'the name of a mode, such as ralph_fresh, acp or scripted'
const hint = 'the name of an agent, such as opencode; for mode acp the command that starts it'
const AgentChoice = z.strictObject(
  {
    /** An open list: the caller that starts the agents knows the modes. */
    mode: z
      .string(mode)
      .regex(/^[a-z][a-z0-9_]{0,63}$/, mode)
      .default('ralph_fresh'),
    model_hint: z.string(hint).min(1, hint).max(1000, hint).optional(),
    /** Additive: the script of mode `scripted`, relative to the repository. */
    script: path('the path of a script').optional(),
  },
  'an object with mode and model_hint',
)

const stuckAfter = 'a whole number from 0 to 100'
/** Additive: how strict the executor is. `pawl deliver` has stricter defaults; its help lists them. */
const Policy = z.strictObject(
  {
    tampering: z.enum(['warn', 'block', 'ask'], 'warn, block or ask').default('warn'),
    on_fail: z.enum(['keep', 'restore'], 'keep or restore').default('keep'),
    /** Retry a story that changed nothing while its commands were green before, instead of accepting it. */
    retry_unproven: z.boolean('true or false').default(false),
    strict_evidence: z.boolean('true or false').default(false),
    /**
     * Verify in a copy of the repository from before the first agent, with the files of the commit: what an agent leaves in ignored files does not
     * count. `auto`: where this machine can make one.
     */
    clean_room: z.union([z.boolean(), z.literal('auto')], 'true, false or auto').optional(),
    dirty: z.enum(['refuse', 'include', 'snapshot'], 'refuse, include or snapshot').default('include'),
    /** Give a story up after this many attempts in a row that changed nothing and failed in the same way. 0: never. */
    stuck_after: z.int(stuckAfter).min(0, stuckAfter).max(100, stuckAfter).default(0),
    /** If a command that several stories share fails before any work: go on, or ask. */
    red_baseline: z.enum(['accept', 'ask'], 'accept or ask').default('accept'),
  },
  'an object',
)
export type DeliveryPolicy = z.output<typeof Policy>

const variable = 'a variable name such as NPM_TOKEN'
const variables = 'a list of variable names'

/** `run-input.json`. Unknown keys are refused, because a misspelled limit would be no limit. */
export const RunInput = z.strictObject(
  {
    contract_version: z.literal(1, '1'),
    run_id: RunId,
    repo_path: path(repoPath).refine((text) => text.startsWith('/'), repoPath),
    prd_path: path(prdPath).refine((text) => !text.startsWith('/') && !text.split('/').includes('..'), prdPath),
    base_branch: Branch,
    working_branch: Branch,
    limits: Limits.prefault({}),
    verification: Verification,
    agent: AgentChoice.prefault({}),
    policy: Policy.prefault({}),
    /** Additive: extra variables for agents and commands, and variables whose values are masked. */
    env: z.array(z.string(variable).regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}\*?$/, variable), variables).default([]),
    secrets: z.array(z.string(variable).regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}$/, variable), variables).default([]),
    sandbox: z.enum(['auto', 'required', 'off'], 'auto, required or off').default('auto'),
  },
  'an object',
)
export type RunInput = z.output<typeof RunInput>
