import type { SettingKey, SettingValues } from '../contract/config.ts'
import type { Claim, Origin } from './claim.ts'

export type ProgramName = 'pawl' | 'rooda' | 'agentic'

type Said<Value> = { readonly value: Value; readonly origin: Origin }
/** A value in force, where it was set, and what it won over, strongest first. */
export type Effective<Value> = Said<Value> & { readonly shadowed: readonly Said<Value>[] }

/** Keys with a built-in value are always set; the others may be absent, which means no limit or not chosen. */
export type SettingValue<Key extends SettingKey> = Key extends keyof ReturnType<typeof builtIns>
  ? SettingValues[Key]
  : SettingValues[Key] | undefined

export type Settings = {
  readonly procedure: string | null
  /** Procedures that the files define, in their order. */
  readonly procedures: readonly string[]
  readonly warnings: readonly string[]
  /** Everything anyone set, weakest first. */
  readonly claims: readonly Claim[]
  value<Key extends SettingKey>(key: Key): SettingValue<Key>
  effective<Key extends SettingKey>(key: Key): Effective<SettingValue<Key>>
  /** The same configuration as another procedure sees it. */
  under(procedure: string | null): Settings
}

export type SettingsParts = Pick<Settings, 'procedure' | 'procedures' | 'warnings' | 'claims'> & {
  readonly name: ProgramName
}

export function settingsOf(parts: SettingsParts): Settings {
  const { name, ...shown } = parts
  const defaults = new Map<string, unknown>(Object.entries(builtIns(name, parts.procedure)))
  const effective = (key: SettingKey): Effective<unknown> => {
    const claims: readonly Said<unknown>[] = parts.claims
      .filter((claim) => claim.key === key && (claim.procedure === null || claim.procedure === parts.procedure))
      .map(({ value, origin }) => ({ value, origin }))
    const builtIn = { value: defaults.get(key), origin: { tier: 'built-in', where: 'built-in' } } as const
    const [winner = builtIn, ...shadowed] = [builtIn, ...claims].toReversed()
    return { ...winner, value: key === 'secrets' ? union([winner, ...shadowed]) : winner.value, shadowed }
  }
  return {
    ...shown,
    effective: effective as Settings['effective'],
    value: ((key: SettingKey) => effective(key).value) as Settings['value'],
    under: (procedure) => settingsOf({ ...parts, procedure }),
  }
}

const builtIns = (name: ProgramName, procedure: string | null) =>
  ({
    default_iterations: 0,
    failure_threshold: 3,
    token_budget: 100_000,
    gates: [],
    context: [],
    // Seed 002 wants the loop of a procedure to go on when its state cannot be written.
    durability: procedure === null ? 'strict' : 'best-effort',
    // Limits of a subscription pass within hours; whoever wants to wait longer says so.
    max_wait: 6 * 3_600_000,
    until: name === 'rooda' ? 'never' : 'promise+gates',
    stuck: name === 'rooda' ? 'off' : 'stop',
    sandbox: 'auto',
    env: [],
    secrets: [],
    bell: true,
    // What is written stays on this machine until its owner says otherwise.
    ladder: ['ollama'],
  }) satisfies Partial<SettingValues>

// No tier may unmask what another one masks, so this list alone adds up.
const union = (said: readonly Said<unknown>[]): readonly unknown[] => [
  ...new Set(said.flatMap(({ value }) => value as readonly string[])),
]
