import { type SettingKey, settingKeys } from '../contract/config.ts'

// What people say for a key, where it differs from how files spell it.
const spoken: Readonly<Partial<Record<SettingKey, string>>> = { default_iterations: 'max_iterations' }

export const flagName = (key: SettingKey): string => `--${(spoken[key] ?? key).replaceAll('_', '-')}`

/** Weakest first: the spoken name wins over the file's, and one procedure's variable over the general one. */
export function variableNames(key: SettingKey, procedure: string | null): readonly string[] {
  const path = procedure === null ? '' : `PROCEDURES_${procedure.replaceAll('-', '_')}_`
  return [key, spoken[key]].flatMap((name) => (name === undefined ? [] : [`PAWL_${path}${name}`.toUpperCase()]))
}

/** Takes `max_iterations`, `max-iterations` and `maxIterations` alike; undefined where no key has that name. */
export function keyNamed(name: string): SettingKey | undefined {
  const plain = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_')
  return settingKeys.find((key) => key === plain || spoken[key] === plain)
}
