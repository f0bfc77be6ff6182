import { inspect } from 'node:util'
import type { SettingKind, SettingRule, SettingRules } from '../contract/config/setting.ts'
import { findNearest } from '../contract/nearest.ts'
import { type ConfigProblem, formatExcerpt } from './problem.ts'
import type { Origin, SettingSource } from './settings.ts'

/** What the person says for this one run: in the environment or on the command line. */
export type GivenSettings = {
  readonly claims: readonly SettingSource[]
  readonly problems: readonly ConfigProblem[]
  readonly warnings: readonly string[]
}

export function readEnvironment(
  rules: SettingRules,
  env: NodeJS.ProcessEnv,
  procedures: readonly string[],
): GivenSettings {
  const known = [null, ...procedures].flatMap((procedure) =>
    Object.entries(rules).flatMap(([key, rule]) =>
      variableNames(key, procedure).map((name) => ({ key, rule, name, procedure })),
    ),
  )
  const read = known.flatMap(({ key, rule, name, procedure }) => {
    const text = env[name]
    // An empty value is read, and refused where a bound is meant: a limit must not vanish with an unset variable.
    return text === undefined
      ? []
      : [readValue(key, rule, fromText(rule.kind, text), { tier: 'environment', where: name }, procedure)]
  })
  return { ...gathered(read), warnings: misspelled(env, new Set(known.map(({ name }) => name))) }
}

/** Flags come by any spelling of their key; those that are no settings are someone else's. */
export function readFlags(rules: SettingRules, flags: Readonly<Record<string, unknown>>): GivenSettings {
  const read = Object.entries(flags).flatMap(([name, given]) => {
    const key = findKey(rules, name)
    if (key === undefined || given === undefined) return []
    const rule = rules[key]!
    const value = typeof given !== 'string' ? given : rule.kind === 'list' ? [given] : fromText(rule.kind, given)
    return [readValue(key, rule, value, { tier: 'flag', where: flagName(key) }, null)]
  })
  return { ...gathered(read), warnings: [] }
}

/** Text that is not exactly a number or a switch stays text, which the key's own check then refuses. */
function fromText(kind: SettingKind, text: string): unknown {
  if (kind === 'number') return /^(?:0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : text
  if (kind === 'amount') return /^[0-9]{1,15}(?:\.[0-9]{1,15})?$/.test(text) ? Number(text) : text
  if (kind === 'switch') return text === 'true' || (text === 'false' ? false : text)
  if (kind === 'list') return text.split('\n').filter((line) => line.trim() !== '')
  return text
}

function readValue(
  key: string,
  { schema }: SettingRule,
  given: unknown,
  origin: Origin,
  procedure: string | null,
): SettingSource | ConfigProblem {
  const parsed = schema.safeParse(given)
  if (parsed.success) return { key, value: parsed.data, origin, procedure, fromRepository: false }
  const found = formatExcerpt(
    typeof given === 'string' ? JSON.stringify(given) : inspect(given, { breakLength: Infinity }),
  )
  const allowed = parsed.error.issues[0]?.message ?? ''
  const next = origin.tier === 'flag' ? 'Correct or drop the flag.' : 'Correct or unset the variable.'
  const dotted = origin.tier === 'flag' ? '' : procedure === null ? key : `procedures.${procedure}.${key}`
  return { file: origin.where, line: null, column: null, key: dotted, what: 'wrong value', found, allowed, next }
}

function gathered(read: readonly (SettingSource | ConfigProblem)[]): Pick<GivenSettings, 'claims' | 'problems'> {
  return {
    claims: read.filter((entry) => 'origin' in entry),
    problems: read.filter((entry) => 'what' in entry),
  }
}

function misspelled(env: NodeJS.ProcessEnv, known: ReadonlySet<string>): readonly string[] {
  const keys = [...known].map((name) => name.slice('PAWL_'.length))
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith('PAWL_') || known.has(name)) return []
    const meant = findNearest(name.slice('PAWL_'.length), keys)
    return meant === undefined ? [] : [`${formatExcerpt(name)} sets nothing. Did you mean PAWL_${meant}?`]
  })
}

// What people say for a key, where it differs from how files spell it.
const spoken = new Map([['default_iterations', 'max_iterations']])

const flagName = (key: string): string => `--${(spoken.get(key) ?? key).replaceAll('_', '-')}`

/** Weakest first: the spoken name wins over the file's, and one procedure's variable over the general one. */
function variableNames(key: string, procedure: string | null): readonly string[] {
  const path = procedure === null ? '' : `PROCEDURES_${procedure.replaceAll('-', '_')}_`
  return [key, spoken.get(key)].flatMap((name) => (name === undefined ? [] : [`PAWL_${path}${name}`.toUpperCase()]))
}

/** Takes `max_iterations`, `max-iterations` and `maxIterations` alike; undefined where no key has that name. */
export function findKey(rules: SettingRules, name: string): string | undefined {
  const plain = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_')
  return Object.keys(rules).find((key) => key === plain || spoken.get(key) === plain)
}
