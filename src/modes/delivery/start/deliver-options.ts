import { z } from 'zod'
import { sharedRules } from '../../../contract/config/shared.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { RunInput } from '../contract/input.ts'
import type { DeliveryDraft } from '../core/draft.ts'

/** Options beyond the configuration. Values are checked where they are used, so that each has its own error message. */
export const DeliverOptions = z.object({
  prd: z.string(),
  /** The folder that the path of the PRD is relative to. */
  cwd: z.string(),
  /** Commands that prove a story, and commands for the end of the run. */
  verify: z.array(z.string()).default([]),
  verifyRun: z.array(z.string()).default([]),
  /** Installs dependencies in the clean room. */
  setup: z.array(z.string()).default([]),
  attempts: z.unknown().optional(),
  maxAttempts: z.unknown().optional(),
  storyTime: z.unknown().optional(),
  tampering: z.unknown().optional(),
  onFail: z.unknown().optional(),
  dirty: z.unknown().optional(),
  redBaseline: z.unknown().optional(),
  strictEvidence: z.boolean().default(false),
  /** Undefined: if this machine can make one. */
  cleanRoom: z.boolean().optional(),
  commit: z.boolean().default(true),
  author: z.unknown().optional(),
  /** Settings for this run only: agent, aiCmd, model, maxTime, maxCost, maxTokens. */
  flags: z.record(z.string(), z.unknown()).default({}),
  /** Starts over instead of resuming the last delivery of this PRD. */
  fresh: z.boolean().default(false),
  /** The URL that workers clone and push to. True: that of the remote `origin`. */
  clone: z.union([z.string(), z.literal(true)]).optional(),
  dryRun: z.boolean().default(false),
  detach: z.boolean().default(false),
  /** Trusts the commands in the repository's configuration. */
  trust: z.boolean().default(false),
})
export type DeliverOptions = z.infer<typeof DeliverOptions>

/** Defaults are stricter than those of the contract. */
export const readPolicy = (options: DeliverOptions): RunInput['policy'] => ({
  tampering: readChoice(options.tampering, ['warn', 'block', 'ask'], '--tampering') ?? 'warn',
  on_fail: readChoice(options.onFail, ['keep', 'restore'], '--on-fail') ?? 'keep',
  dirty: readChoice(options.dirty, ['refuse', 'include', 'snapshot'], '--dirty') ?? 'refuse',
  retry_unproven: true,
  strict_evidence: options.strictEvidence,
  clean_room: options.cleanRoom ?? 'auto',
  stuck_after: 2,
  red_baseline: readChoice(options.redBaseline, ['accept', 'ask'], '--red-baseline') ?? 'ask',
})

function readChoice<Choice extends string>(
  given: unknown,
  choices: readonly Choice[],
  flag: string,
): Choice | undefined {
  if (given === undefined) return undefined
  const found = choices.find((choice) => choice === given)
  if (found) return found
  throw new PawlError(2, `${flag} cannot be ${JSON.stringify(given)}`, `Allowed: ${choices.join(', ')}`)
}

export function readCount(given: unknown, flag: string): number | undefined {
  if (given === undefined) return undefined
  if (typeof given === 'string' && /^[1-9][0-9]{0,3}$/.test(given)) return Number(given)
  throw new PawlError(2, `${flag} cannot be ${JSON.stringify(given)}`, 'Allowed: a whole number from 1 to 9999')
}

/** In milliseconds. */
export function readStoryTime({ storyTime: given }: DeliverOptions): number | undefined {
  if (given === undefined) return undefined
  const read = sharedRules.max_time.schema.safeParse(given)
  if (read.success) return read.data
  throw new PawlError(
    2,
    `--story-time cannot be ${JSON.stringify(given)}`,
    'Allowed: a duration such as 90s, 30m or 3h',
  )
}

export function readAuthor({ author: given }: DeliverOptions): DeliveryDraft['author'] {
  if (given === undefined) return undefined
  const [, name, email] = /^([^<>\n]{1,200}) <([^<>\s]{1,200})>$/.exec(typeof given === 'string' ? given : '') ?? []
  if (name && email) return { name, email }
  throw new PawlError(2, `--author cannot be ${JSON.stringify(given)}`, 'Write it as "Name <name@example.org>".')
}
