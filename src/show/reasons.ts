import { z } from 'zod'
import { type Reason, kernelReasons as shapes, waitReasons } from '../contract/reasons.ts'
import type { CapName, Json } from '../contract/values.ts'
import type { Reasons } from './show.ts'

/** For each cap, the setting that people know and the message when it is spent. */
const bounds: Readonly<Record<CapName, { readonly setting: string; readonly spent: string }>> = {
  tasks: { setting: 'max_iterations', spent: 'iteration limit reached' },
  attemptsPerTask: { setting: 'attempts per task', spent: 'no attempts left for this task' },
  attemptsPerRun: { setting: 'attempts per run', spent: 'no attempts left for this run' },
  tokens: { setting: 'max_tokens', spent: 'token limit reached' },
  overheadTokens: { setting: 'overhead_tokens', spent: 'token limit for judging and planning reached' },
  costUsd: { setting: 'max_cost', spent: 'cost limit reached' },
  activeMs: { setting: 'max_time', spent: 'time limit reached' },
  taskMs: { setting: 'time per task', spent: 'time limit for this task reached' },
  attemptMs: { setting: 'attempt_timeout', spent: 'attempt timed out' },
  waitMs: { setting: 'max_wait', spent: 'the wait would exceed the limit' },
  failuresInARow: { setting: 'failure_threshold', spent: 'too many failures in a row' },
  interruptionsInARow: {
    setting: 'interruptions in a row',
    spent: 'interrupted or unavailable too many times in a row',
  },
  escalations: { setting: 'escalations', spent: 'no escalations left' },
}

/** Returns the setting that people know a cap by, unless the mode has another name for it. */
export const defaultSetting = (cap: CapName): string => bounds[cap].setting

const isCap = (name: unknown): name is CapName => typeof name === 'string' && Object.hasOwn(bounds, name)

/** Caps that mean "retry later" rather than "this cannot work". */
const transientCaps: readonly unknown[] = ['interruptionsInARow', 'waitMs'] satisfies CapName[]

/** Returns the exit code of a run that a cap ended. */
export const chooseCapExit = ({ cap }: Reason): 20 | 30 => (transientCaps.includes(cap) ? 20 : 30)

/** Default texts for the kernel's reasons and for waits. A mode may override them. */
export const defaultReasons = {
  cap_spent: {
    fields: shapes.cap_spent,
    exit: (view) => chooseCapExit(view.state.ended?.reason ?? { code: 'cap_spent' }),
    text: ({ cap }) => (isCap(cap) ? bounds[cap].spent : 'a limit was reached'),
  },
  not_allowed: {
    fields: shapes.not_allowed,
    exit: 30,
    text: ({ decision }) => `the policy made a decision that is not allowed here: ${formatField(decision)}`,
  },
  too_many_chores: {
    fields: shapes.too_many_chores,
    exit: 30,
    text: ({ count }) => `stopped after ${formatField(count)} chores in a row`,
  },
  cancelled: { fields: shapes.cancelled, exit: 130, text: ({ by }) => `cancelled by ${formatField(by)}` },
  paused: { fields: shapes.paused, text: 'paused' },
  usage_limit: { fields: waitReasons.usage_limit, text: 'usage limit' },
  agent_unavailable: { fields: waitReasons.agent_unavailable, text: 'the agent could not be started' },
  command_unavailable: { fields: waitReasons.command_unavailable, text: 'a command could not be run' },
} as const satisfies Reasons<unknown>

/** Formats a field of a reason for use in a sentence. */
export const formatField = (field: Json | undefined): string =>
  typeof field === 'string' ? field : JSON.stringify(field)

/** Formats a reason as a sentence. An unknown reason is shown as its code. */
export function formatReason<Memo>(reasons: Reasons<Memo>, reason: Reason, setting = defaultSetting): string {
  const rule = Object.hasOwn(reasons, reason.code) ? reasons[reason.code] : undefined
  if (!rule) return reason.code.replaceAll('_', ' ')
  return typeof rule.text === 'string' ? rule.text : rule.text(reason, setting)
}

/** Returns why a reason does not match the mode's table, or undefined. */
export function findReasonProblem<Memo>(reasons: Reasons<Memo>, reason: Reason): string | undefined {
  const rule = Object.hasOwn(reasons, reason.code) ? reasons[reason.code] : undefined
  if (!rule) return `unknown reason ${reason.code}`
  const parsed = z.looseObject(rule.fields).safeParse(reason)
  return parsed.success ? undefined : `reason ${reason.code}: ${parsed.error.issues[0]?.path.join('.')} is invalid`
}
