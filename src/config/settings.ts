import type { SettingRule, SettingRules, SettingValue, SettingValues } from '../contract/config/setting.ts'
import type { ConfigShape } from '../contract/config/shape.ts'
import type { SharedRules } from '../contract/config/shared.ts'
import type { ProgramName } from '../contract/programs.ts'

type SourceValue<Value> = { readonly value: Value; readonly origin: Origin }
/** A value in force, where it was set, and what it won over, strongest first. */
export type Effective<Value> = SourceValue<Value> & { readonly shadowed: readonly SourceValue<Value>[] }

export type SharedKey = keyof SharedRules

export type Settings = {
  /** Every key there is. */
  readonly shape: ConfigShape
  readonly procedure: string | null
  /** Procedures that the files define, in their order. */
  readonly procedures: readonly string[]
  readonly warnings: readonly string[]
  /** Everything anyone set, weakest first. */
  readonly claims: readonly SettingSource[]
  value<Key extends SharedKey>(key: Key): SettingValue<SharedRules[Key]>
  effective<Key extends SharedKey>(key: Key): Effective<SettingValue<SharedRules[Key]>>
  /** The values of a mode's own keys, by the rules that the mode has brought along. */
  own<Rules extends SettingRules>(rules: Rules): SettingValues<Rules>
  /** Any key, for those who only show it. */
  lookUp(key: string): Effective<unknown>
  /** The same configuration as another procedure sees it. */
  under(procedure: string | null): Settings
}

export type SettingsParts = Pick<Settings, 'shape' | 'procedure' | 'procedures' | 'warnings' | 'claims'> & {
  readonly name: ProgramName
}

export function resolveSettings(parts: SettingsParts): Settings {
  const { name: program, ...shown } = parts
  const { shape, procedure } = parts
  const effective = (key: string, rule: SettingRule | undefined = shape.rules[key]): Effective<unknown> => {
    const claims: readonly SourceValue<unknown>[] = parts.claims
      .filter((claim) => claim.key === key && (claim.procedure === null || claim.procedure === procedure))
      .map(({ value, origin }) => ({ value, origin }))
    const origin = { tier: 'built-in', where: 'built-in' } as const
    const builtIn = { value: rule?.builtIn?.({ program, procedure }), origin }
    const [winner = builtIn, ...shadowed] = [builtIn, ...claims].toReversed()
    return { ...winner, value: key === 'secrets' ? union([winner, ...shadowed]) : winner.value, shadowed }
  }
  return {
    ...shown,
    // Every claim has passed the schema of its key, and so has the type that the rule of this key gives.
    effective: effective as Settings['effective'],
    value: ((key: SharedKey) => effective(key).value) as Settings['value'],
    own: ((rules: SettingRules) =>
      Object.fromEntries(
        Object.entries(rules).map(([key, rule]) => [key, effective(key, rule).value]),
      )) as Settings['own'],
    lookUp: (key) => effective(key),
    under: (procedure) => resolveSettings({ ...parts, procedure }),
  }
}

// No tier may unmask what another one masks, so this list alone adds up.
const union = (said: readonly SourceValue<unknown>[]): readonly unknown[] => [
  ...new Set(said.flatMap(({ value }) => value as readonly string[])),
]

export type Tier = 'built-in' | 'user' | 'workspace' | 'procedure' | 'environment' | 'flag'

export type Origin = {
  readonly tier: Tier
  /** `.pawl/config.yml:12`, `PAWL_MAX_ITERATIONS`, `--max-iterations` or `built-in`. */
  readonly where: string
}

/** One place that sets one key. `procedure` is null where it holds for all of them. */
export type SettingSource = {
  readonly key: string
  readonly value: unknown
  readonly origin: Origin
  readonly procedure: string | null
  /** Written in a file that comes with the repository, so not by the person who runs it. */
  readonly fromRepository: boolean
}
