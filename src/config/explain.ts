import { findNearest } from '../contract/nearest.ts'
import { findKey } from './env-and-flags.ts'
import { ConfigError, formatExcerpt } from './problem.ts'
import type { Effective, Settings } from './settings.ts'

export type Explanation = Effective<unknown> & { readonly key: string }

/** Explains a key such as `gates` or `procedures.build.gates`. Throws a ConfigError with the nearest key on a typo. */
export function explain(settings: Settings, key: string): Explanation {
  const { rules } = settings.shape
  const plain = findKey(rules, key)
  if (plain !== undefined) return { key: plain, ...settings.lookUp(plain) }
  const [root, procedure, name = '', ...rest] = key.split('.')
  const settingKeys = Object.keys(rules)
  const procedureKeys = Object.keys(settings.shape.procedure)
  const own = procedureKeys.find((known) => known === findKey(rules, name))
  if (
    root === 'procedures' &&
    procedure !== undefined &&
    settings.procedures.includes(procedure) &&
    own &&
    rest.length === 0
  ) {
    return { key: `procedures.${procedure}.${own}`, ...settings.under(procedure).lookUp(own) }
  }
  const dotted = settings.procedures.flatMap((known) => procedureKeys.map((own) => `procedures.${known}.${own}`))
  throw new ConfigError([
    {
      file: 'config explain',
      line: null,
      column: null,
      key: formatExcerpt(key),
      what: 'unknown key',
      found: formatExcerpt(key),
      allowed: `${settingKeys.join(', ')}, procedures.<name>.<key>`,
      nearest: findNearest(key, [...settingKeys, ...dotted]),
      next: 'Use one of these keys.',
    },
  ])
}
