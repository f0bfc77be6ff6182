import { z } from 'zod'
import { type Reason, kernelReasons as shapes, waitReasons } from '../contract/reasons.ts'
import type { CapName, Json } from '../contract/values.ts'
import type { Reasons } from './show.ts'

/** The kernel's bounds as people know them: the setting, and what to say once it is used up. */
const bounds: Readonly<Record<CapName, { readonly setting: string; readonly spent: string }>> = {
  tasks: { setting: 'max_iterations', spent: 'all iterations are used' },
  attemptsPerTask: { setting: 'attempts per task', spent: 'the task has no attempt left' },
  attemptsPerRun: { setting: 'attempts per run', spent: 'the run has no attempt left' },
  tokens: { setting: 'max_tokens', spent: 'the tokens are used up' },
  overheadTokens: { setting: 'overhead_tokens', spent: 'the tokens for judging and planning are used up' },
  costUsd: { setting: 'max_cost', spent: 'the money is spent' },
  activeMs: { setting: 'max_time', spent: 'the time is up' },
  taskMs: { setting: 'time per task', spent: 'the time for this task is up' },
  attemptMs: { setting: 'attempt_timeout', spent: 'the time for this attempt is up' },
  waitMs: { setting: 'max_wait', spent: 'it would have to wait longer than it may' },
  failuresInARow: { setting: 'failure_threshold', spent: 'too many failures in a row' },
  interruptionsInARow: {
    setting: 'interruptions in a row',
    spent: 'interrupted or unavailable too many times in a row',
  },
  escalations: { setting: 'escalations', spent: 'no escalation is left' },
}

/** The setting that a person knows a bound by, where the mode has no other name for it. */
export const usualSetting = (cap: CapName): string => bounds[cap].setting

const isCap = (name: unknown): name is CapName => typeof name === 'string' && Object.hasOwn(bounds, name)

/** Bounds that say "come back later" rather than "this cannot work". */
const later: readonly unknown[] = ['interruptionsInARow', 'waitMs'] satisfies CapName[]

/** The exit code of a run that a bound ended. */
export const chooseCapExit = ({ cap }: Reason): 20 | 30 => (later.includes(cap) ? 20 : 30)

/** The kernel's reasons and the waits that several modes know, in plain words. A mode puts its own rules over them. */
export const usualReasons = {
  cap_spent: {
    fields: shapes.cap_spent,
    exit: (view) => chooseCapExit(view.state.ended?.reason ?? { code: 'cap_spent' }),
    text: ({ cap }) => (isCap(cap) ? bounds[cap].spent : 'a bound is used up'),
  },
  not_allowed: {
    fields: shapes.not_allowed,
    exit: 30,
    text: ({ decision }) => `the rules asked for what is not allowed here: ${formatField(decision)}`,
  },
  too_many_chores: {
    fields: shapes.too_many_chores,
    exit: 30,
    text: ({ count }) => `${formatField(count)} chores in a row`,
  },
  cancelled: { fields: shapes.cancelled, exit: 130, text: ({ by }) => `cancelled by ${formatField(by)}` },
  paused: { fields: shapes.paused, text: 'paused' },
  usage_limit: { fields: waitReasons.usage_limit, text: 'usage limit' },
  agent_unavailable: { fields: waitReasons.agent_unavailable, text: 'the agent could not be started' },
  command_unavailable: { fields: waitReasons.command_unavailable, text: 'a command could not be run' },
} as const satisfies Reasons<unknown>

/** A field of a reason in a sentence. Names and numbers are shown as they are. */
const formatField = (field: Json | undefined): string => (typeof field === 'string' ? field : JSON.stringify(field))

/** A reason as a sentence. One that the table does not know is shown as its code. */
export function formatReason<Memo>(reasons: Reasons<Memo>, reason: Reason, setting = usualSetting): string {
  const rule = Object.hasOwn(reasons, reason.code) ? reasons[reason.code] : undefined
  if (!rule) return reason.code.replaceAll('_', ' ')
  return typeof rule.text === 'string' ? rule.text : rule.text(reason, setting)
}

/** Why a reason does not fit the mode's table, or undefined. */
export function findReasonProblem<Memo>(reasons: Reasons<Memo>, reason: Reason): string | undefined {
  const rule = Object.hasOwn(reasons, reason.code) ? reasons[reason.code] : undefined
  if (!rule) return `unknown reason ${reason.code}`
  const parsed = z.looseObject(rule.fields).safeParse(reason)
  return parsed.success ? undefined : `reason ${reason.code}: ${parsed.error.issues[0]?.path.join('.')} is wrong`
}
