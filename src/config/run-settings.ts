import type { SettingRules, SettingValues } from '../contract/config/setting.ts'
import { sharedRules } from '../contract/config/shared.ts'
import type { Envelope, FrozenAgent } from '../contract/envelope.ts'
import type { CapName, Caps } from '../contract/values.ts'
import { readFlags } from './env-and-flags.ts'
import { ConfigError } from './problem.ts'
import type { Settings, SharedKey } from './settings.ts'

/** The run limit that each setting sets. */
export const capSettings: readonly (readonly [CapName, SharedKey])[] = [
  ['tasks', 'default_iterations'],
  ['failuresInARow', 'failure_threshold'],
  ['activeMs', 'max_time'],
  ['costUsd', 'max_cost'],
  ['tokens', 'max_tokens'],
  ['attemptMs', 'attempt_timeout'],
  ['waitMs', 'max_wait'],
]

/** Returns only the limits given as flags: a resumed run keeps its other limits. */
export function capsFromFlags(rules: SettingRules, flags: Readonly<Record<string, unknown>>): Caps {
  const values = valuesFromFlags(rules, flags)
  return Object.fromEntries(
    capSettings.flatMap(([cap, key]) => (values[key] === undefined ? [] : [[cap, values[key]]])),
  )
}

/** Returns the settings given as flags, by key. Throws a ConfigError with all problems. */
export function valuesFromFlags<Rules extends SettingRules>(
  rules: Rules,
  flags: Readonly<Record<string, unknown>>,
): Partial<SettingValues<Rules>> {
  const { claims, problems } = readFlags(rules, flags)
  const [first, ...others] = problems
  if (first) throw new ConfigError([first, ...others])
  return Object.fromEntries(claims.map(({ key, value }) => [key, value])) as Partial<SettingValues<Rules>>
}

export function readNotifySettings(settings: Settings): Pick<Envelope, 'notify' | 'bell'> {
  const [command, webhook] = [settings.value('notify'), settings.value('notify_webhook')]
  return { ...((command || webhook) && { notify: { command, webhook } }), bell: settings.value('bell') }
}

/** Resolves the user's choice to an agent. Implemented by the machine, which knows the agents. */
export type ChooseAgent = (choice: {
  readonly command?: string | undefined
  readonly agent?: string | undefined
  readonly model?: string | undefined
  readonly script?: string | undefined
}) => FrozenAgent

/** If both `ai_cmd` and `agent` are set, the stronger tier wins. */
export function chooseAgent(settings: Settings, choose: ChooseAgent): FrozenAgent {
  const agent = settings.value('agent')
  const byCommand = agent === undefined || isStronger(settings, 'ai_cmd', 'agent')
  return choose({
    command: byCommand ? settings.value('ai_cmd') : undefined,
    agent,
    model: settings.value('model'),
    script: settings.value('agent_script'),
  })
}

/** Returns the agent named by the flags of `resume`. Undefined if they name none. */
export function agentFromFlags(
  flags: Readonly<Partial<Record<'agent' | 'aiCmd' | 'model', unknown>>>,
  before: FrozenAgent,
  choose: ChooseAgent,
): FrozenAgent | undefined {
  const { agent, aiCmd, model } = flags
  const given = valuesFromFlags(sharedRules, { agent, aiCmd, model })
  if (Object.keys(given).length === 0) return undefined
  return choose({ command: given.ai_cmd, agent: given.agent ?? before.name, model: given.model })
}

const tiers = ['built-in', 'user', 'workspace', 'procedure', 'environment', 'flag'] as const

const isStronger = (settings: Settings, a: 'ai_cmd', b: 'agent'): boolean =>
  tiers.indexOf(settings.effective(a).origin.tier) > tiers.indexOf(settings.effective(b).origin.tier)
