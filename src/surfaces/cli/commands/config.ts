import { explain } from '../../../config/explain.ts'
import { loadSettings } from '../../../config/load-settings.ts'
import type { Settings } from '../../../config/settings.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Handler } from '../../terminal/command.ts'
import type { Io } from '../../terminal/io.ts'
import { layoutTable } from '../../terminal/table.ts'

export const handle: Handler = async ({ program, args, options, io }) => {
  const { environment } = program.machine
  const procedure = typeof options.procedure === 'string' ? { procedure: options.procedure } : {}
  const settings = await loadSettings(program.machine, procedure)
  for (const warning of settings.warnings) io.err(`warning: ${warning}`)
  if (args[0] === undefined) return printAll(settings, io)
  if (args[0] !== 'explain' || args[1] === undefined)
    throw new PawlError(2, `usage: ${environment.program} config explain <key>`)
  const found = explain(settings, args[1])
  io.result(found, () => [
    `${found.key} = ${formatValue(found.value)}`,
    `  set by ${found.origin.where} (${found.origin.tier})`,
    ...found.shadowed
      .filter(({ value }) => value !== undefined)
      .map(({ value, origin }) => `  overrides ${formatValue(value)} from ${origin.where} (${origin.tier})`),
  ])
  return 0
}

function printAll(settings: Settings, io: Io): 0 {
  const rows = Object.keys(settings.shape.rules).map((key) => ({ key, ...settings.lookUp(key) }))
  io.result({ procedures: settings.procedures, settings: rows }, () =>
    layoutTable(
      [['KEY', 'VALUE', 'SET BY'], ...rows.map(({ key, value, origin }) => [key, formatValue(value), origin.where])],
      { width: io.width(), headings: 1, shorten: [1, 2], drop: [2] },
    ),
  )
  return 0
}

const formatValue = (value: unknown): string => (value === undefined ? 'not set' : JSON.stringify(value))
