import { explain } from '../../../config/explain.ts'
import { loadConfig } from '../../../config/load.ts'
import type { Settings } from '../../../config/settings.ts'
import { settingKeys } from '../../../contract/config.ts'
import { PawlError } from '../../../contract/exit.ts'
import { table } from '../../../show/format.ts'
import type { Handler } from '../command.ts'

export const handle: Handler = async ({ place, args, options, io }) => {
  const { cwd: workspace, env, home } = place
  const name = place.name === 'santiago' ? 'pawl' : place.name
  const procedure = typeof options.procedure === 'string' ? { procedure: options.procedure } : {}
  const settings = await loadConfig({ workspace, env, home, name, flags: {}, ...procedure })
  for (const warning of settings.warnings) io.err(`warning: ${warning}`)
  if (args[0] === undefined) return all(settings, io)
  if (args[0] !== 'explain' || args[1] === undefined) throw new PawlError(2, 'it is: pawl config explain <key>')
  const found = explain(settings, args[1])
  io.result(found, () => [
    `${found.key} = ${show(found.value)}`,
    `  set by ${found.origin.where} (${found.origin.tier})`,
    ...found.shadowed.map(({ value, origin }) => `  instead of ${show(value)} from ${origin.where} (${origin.tier})`),
  ])
  return 0
}

function all(settings: Settings, io: Parameters<Handler>[0]['io']): 0 {
  const rows = settingKeys.map((key) => ({ key, ...settings.effective(key) }))
  io.result({ procedures: settings.procedures, settings: rows }, () =>
    table([['KEY', 'VALUE', 'SET BY'], ...rows.map(({ key, value, origin }) => [key, show(value), origin.where])]),
  )
  return 0
}

const show = (value: unknown): string => (value === undefined ? 'not set' : JSON.stringify(value))
