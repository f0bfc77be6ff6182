import type { SettingValue } from '../contract/config/setting.ts'
import type { SharedRules } from '../contract/config/shared.ts'
import type { ConfigProblem } from './problem.ts'

export type Sandbox = SettingValue<SharedRules['sandbox']>

const weakestFirst: readonly Sandbox[] = ['off', 'auto', 'required']

/** A repository may ask for more protection than the person has, never for less. */
export function weakerSandbox(
  asked: Sandbox | undefined,
  least: Sandbox | undefined,
  place: Pick<ConfigProblem, 'file' | 'line' | 'column'>,
): readonly ConfigProblem[] {
  if (asked === undefined || least === undefined) return []
  const enough = weakestFirst.slice(weakestFirst.indexOf(least))
  if (enough.includes(asked)) return []
  return [
    {
      ...place,
      key: 'sandbox',
      what: `a repository cannot weaken your sandbox (${least})`,
      found: asked,
      allowed: enough.join(', '),
      next: `Remove it there; if you want it, say --sandbox ${asked} or set it in your own config.yml.`,
    },
  ]
}
