import type { SettingRules, SettingValues } from '../contract/config/setting.ts'
import { sharedRules } from '../contract/config/shared.ts'
import type { Envelope, FrozenAgent } from '../contract/envelope.ts'
import type { CapName, Caps } from '../contract/values.ts'
import { readFlags } from './env-and-flags.ts'
import { ConfigError } from './problem.ts'
import type { Settings, SharedKey } from './settings.ts'

/** Which bound each setting is. */
export const bounds: readonly (readonly [CapName, SharedKey])[] = [
  ['tasks', 'default_iterations'],
  ['failuresInARow', 'failure_threshold'],
  ['activeMs', 'max_time'],
  ['costUsd', 'max_cost'],
  ['tokens', 'max_tokens'],
  ['attemptMs', 'attempt_timeout'],
  ['waitMs', 'max_wait'],
]

/** Only what was given on the command line: going on with a run keeps its other bounds as they were. */
export function capsFromFlags(rules: SettingRules, flags: Readonly<Record<string, unknown>>): Caps {
  const values = valuesFromFlags(rules, flags)
  return Object.fromEntries(bounds.flatMap(([cap, key]) => (values[key] === undefined ? [] : [[cap, values[key]]])))
}

/** Those of these settings that are among the flags, by their keys. Throws a ConfigError with everything that is wrong with them. */
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

/** Freezes the agent that a person named. The machine knows which there are. */
export type ChooseAgent = (choice: {
  readonly command?: string | undefined
  readonly agent?: string | undefined
  readonly model?: string | undefined
  readonly script?: string | undefined
}) => FrozenAgent

/** A command and a name may both be set; the stronger tier says which of them is meant. */
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

/** The agent that a run goes on with; undefined: the flags name no other one. */
export function agentFromFlags(
  flags: Readonly<Partial<Record<'agent' | 'aiCmd' | 'model', unknown>>>,
  before: FrozenAgent,
  choose: ChooseAgent,
): FrozenAgent | undefined {
  const { agent, aiCmd, model } = flags
  const said = valuesFromFlags(sharedRules, { agent, aiCmd, model })
  if (Object.keys(said).length === 0) return undefined
  return choose({ command: said.ai_cmd, agent: said.agent ?? before.name, model: said.model })
}

const tiers = ['built-in', 'user', 'workspace', 'procedure', 'environment', 'flag'] as const

const isStronger = (settings: Settings, a: 'ai_cmd', b: 'agent'): boolean =>
  tiers.indexOf(settings.effective(a).origin.tier) > tiers.indexOf(settings.effective(b).origin.tier)
