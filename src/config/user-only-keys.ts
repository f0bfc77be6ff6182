import type { ConfigShape } from '../contract/config/shape.ts'
import { type ConfigProblem, dotted } from './problem.ts'
import type { Path } from './yaml-source.ts'

/** Keys a repository may not set, because it could redirect traffic. */
export function refuseUserOnly(
  { workspace, procedure }: ConfigShape,
  written: Readonly<Record<string, unknown>>,
  placeOf: (path: Path) => Pick<ConfigProblem, 'file' | 'line' | 'column'>,
): readonly ConfigProblem[] {
  const procedures = Object.entries(Object(written.procedures) as object)
  const levels = [
    { path: [], rules: workspace, values: written },
    ...procedures.map(([name, values]) => ({ path: ['procedures', name], rules: procedure, values: Object(values) })),
  ]
  return levels.flatMap(({ path, rules, values }) =>
    Object.entries(rules).flatMap(([key, { userOnly }]) => {
      if (!userOnly || values[key] === undefined) return []
      const full = [...path, key]
      return [{ ...placeOf(full), key: dotted(full), allowed: 'nothing here', ...userOnly }]
    }),
  )
}
