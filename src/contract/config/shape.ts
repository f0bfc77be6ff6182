import { z } from 'zod'
import type { SettingRules } from './setting.ts'
import { boundRules, sharedRules, workRules, workspaceRules } from './shared.ts'

const procedureName = 'a name of a-z, 0-9 and -, at most 64 characters, not beginning with -'
export const ProcedureName = z.string(procedureName).regex(/^[a-z0-9][a-z0-9-]{0,63}$/, procedureName)

export type ConfigShape = ReturnType<typeof createConfigShape>

/**
 * Builds the shape of `.pawl/config.yml` and the user's `config.yml`, including the keys of the modes. A repository's file may not set
 * addresses or models: it could redirect the user's data. API keys appear in no file.
 */
export function createConfigShape(modes: readonly SettingRules[]) {
  const own = joinRules(modes)
  const workspace = selectRules('workspace', { ...boundRules, ...workRules, ...own, ...workspaceRules })
  const procedure = selectRules('procedures', { ...own, ...workRules, ...boundRules, ...workspaceRules })
  const schema = z
    .strictObject(
      {
        $schema: z.string('the address of this schema').describe('Where editors find this schema; ignored by Pawl.'),
        ...toSchemas(workspace),
        procedures: z
          .record(
            ProcedureName,
            z.strictObject(toSchemas(procedure), 'a map of keys').partial(),
            'a map of procedure names',
          )
          .describe('Procedures by name; their keys win over those of the same name outside.'),
      },
      'a map of keys',
    )
    .partial()
  const rules: SettingRules = { ...workspace, ...procedure }
  return { schema, workspace, procedure, rules }
}

/** Joins the modes' keys. Two modes may not share a key: one would read values that its schema has not checked. */
function joinRules(modes: readonly SettingRules[]): SettingRules {
  const taken = new Set(['$schema', 'procedures', ...Object.keys(sharedRules)])
  for (const key of modes.flatMap((rules) => Object.keys(rules))) {
    if (taken.has(key)) throw new Error(`two settings are called ${key}`)
    taken.add(key)
  }
  return Object.assign({}, ...modes)
}

const selectRules = (place: 'workspace' | 'procedures', rules: SettingRules): SettingRules =>
  Object.fromEntries(Object.entries(rules).filter(([, { only = place }]) => only === place))

const toSchemas = (rules: SettingRules) =>
  Object.fromEntries(Object.entries(rules).map(([key, { schema }]) => [key, schema]))
