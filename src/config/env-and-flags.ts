import { inspect } from 'node:util'
import type { SettingKind, SettingRule, SettingRules } from '../contract/config/setting.ts'
import { findNearest } from '../contract/nearest.ts'
import { type ConfigProblem, formatExcerpt } from './problem.ts'
import type { Origin, SettingSource } from './settings.ts'

/** Settings for one run, from environment variables or flags. */
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
    // An empty value counts as set, and is refused for limits: an empty variable must not remove a limit.
    return text === undefined
      ? []
      : [readValue(key, rule, parseText(rule.kind, text), { tier: 'environment', where: name }, procedure)]
  })
  return { ...groupResults(read), warnings: warnMisspelled(env, new Set(known.map(({ name }) => name))) }
}

/** Reads flags by any spelling of their key and ignores flags that are not settings. */
export function readFlags(rules: SettingRules, flags: Readonly<Record<string, unknown>>): GivenSettings {
  const read = Object.entries(flags).flatMap(([name, given]) => {
    const key = findKey(rules, name)
    if (key === undefined || given === undefined) return []
    const rule = rules[key]!
    const value = typeof given !== 'string' ? given : rule.kind === 'list' ? [given] : parseText(rule.kind, given)
    return [readValue(key, rule, value, { tier: 'flag', where: flagName(key) }, null)]
  })
  return { ...groupResults(read), warnings: [] }
}

/** Leaves text that is not exactly a number or a boolean as it is; the schema of the key then refuses it. */
function parseText(kind: SettingKind, text: string): unknown {
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
  const next = origin.tier === 'flag' ? 'Correct or remove the flag.' : 'Correct or unset the variable.'
  const dotted = origin.tier === 'flag' ? '' : procedure === null ? key : `procedures.${procedure}.${key}`
  return { file: origin.where, line: null, column: null, key: dotted, what: 'wrong value', found, allowed, next }
}

function groupResults(read: readonly (SettingSource | ConfigProblem)[]): Pick<GivenSettings, 'claims' | 'problems'> {
  return {
    claims: read.filter((entry) => 'origin' in entry),
    problems: read.filter((entry) => 'what' in entry),
  }
}

function warnMisspelled(env: NodeJS.ProcessEnv, known: ReadonlySet<string>): readonly string[] {
  const keys = [...known].map((name) => name.slice('PAWL_'.length))
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith('PAWL_') || known.has(name)) return []
    const nearest = findNearest(name.slice('PAWL_'.length), keys)
    return nearest === undefined
      ? []
      : [`${formatExcerpt(name)} is not a known variable and is ignored. Did you mean PAWL_${nearest}?`]
  })
}

// Names used for flags and variables where they differ from the key in files.
const aliases = new Map([['default_iterations', 'max_iterations']])

const flagName = (key: string): string => `--${(aliases.get(key) ?? key).replaceAll('_', '-')}`

/** Weakest first: the alias overrides the key's own name, and a procedure's variable overrides the general one. */
function variableNames(key: string, procedure: string | null): readonly string[] {
  const path = procedure === null ? '' : `PROCEDURES_${procedure.replaceAll('-', '_')}_`
  return [key, aliases.get(key)].flatMap((name) => (name === undefined ? [] : [`PAWL_${path}${name}`.toUpperCase()]))
}

/** Accepts `max_iterations`, `max-iterations` and `maxIterations`. Undefined if there is no such key. */
export function findKey(rules: SettingRules, name: string): string | undefined {
  const plain = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_')
  return Object.keys(rules).find((key) => key === plain || aliases.get(key) === plain)
}
