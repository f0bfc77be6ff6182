import type { SettingRule, SettingRules, SettingValue, SettingValues } from '../contract/config/setting.ts'
import type { ConfigShape } from '../contract/config/shape.ts'
import type { SharedRules } from '../contract/config/shared.ts'
import type { ProgramName } from '../contract/programs.ts'

type SourceValue<Value> = { readonly value: Value; readonly origin: Origin }
/** The effective value, where it was set, and the values it overrides, strongest first. */
export type Effective<Value> = SourceValue<Value> & { readonly shadowed: readonly SourceValue<Value>[] }

export type SharedKey = keyof SharedRules

export type Settings = {
  /** All config keys. */
  readonly shape: ConfigShape
  readonly procedure: string | null
  /** Procedures defined in the config files, in file order. */
  readonly procedures: readonly string[]
  readonly warnings: readonly string[]
  /** Every value set in any tier, weakest first. */
  readonly claims: readonly SettingSource[]
  value<Key extends SharedKey>(key: Key): SettingValue<SharedRules[Key]>
  effective<Key extends SharedKey>(key: Key): Effective<SettingValue<SharedRules[Key]>>
  /** Values of a mode's own keys. */
  own<Rules extends SettingRules>(rules: Rules): SettingValues<Rules>
  /** Looks up any key by name, for display. */
  lookUp(key: string): Effective<unknown>
  /** The same configuration, resolved for another procedure. */
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
    return { ...winner, value: key === 'secrets' ? mergeLists([winner, ...shadowed]) : winner.value, shadowed }
  }
  return {
    ...shown,
    // The casts are safe: every claim was parsed by the schema of its key.
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

// `secrets` is the only list merged across tiers, so that no tier can unmask what another one masks.
const mergeLists = (values: readonly SourceValue<unknown>[]): readonly unknown[] => [
  ...new Set(values.flatMap(({ value }) => value as readonly string[])),
]

export type Tier = 'built-in' | 'user' | 'workspace' | 'procedure' | 'environment' | 'flag'

export type Origin = {
  readonly tier: Tier
  /** `.pawl/config.yml:12`, `PAWL_MAX_ITERATIONS`, `--max-iterations` or `built-in`. */
  readonly where: string
}

/** One value set in one place. `procedure` is null if the value applies to all procedures. */
export type SettingSource = {
  readonly key: string
  readonly value: unknown
  readonly origin: Origin
  readonly procedure: string | null
  /** Set in a file of the repository, so not necessarily by the user. */
  readonly fromRepository: boolean
}
