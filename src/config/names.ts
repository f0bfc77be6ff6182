import type { SettingRules } from '../contract/config/setting.ts'

// What people say for a key, where it differs from how files spell it.
const spoken = new Map([['default_iterations', 'max_iterations']])

export const flagName = (key: string): string => `--${(spoken.get(key) ?? key).replaceAll('_', '-')}`

/** Weakest first: the spoken name wins over the file's, and one procedure's variable over the general one. */
export function variableNames(key: string, procedure: string | null): readonly string[] {
  const path = procedure === null ? '' : `PROCEDURES_${procedure.replaceAll('-', '_')}_`
  return [key, spoken.get(key)].flatMap((name) => (name === undefined ? [] : [`PAWL_${path}${name}`.toUpperCase()]))
}

/** Takes `max_iterations`, `max-iterations` and `maxIterations` alike; undefined where no key has that name. */
export function keyNamed(rules: SettingRules, name: string): string | undefined {
  const plain = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_')
  return Object.keys(rules).find((key) => key === plain || spoken.get(key) === plain)
}
