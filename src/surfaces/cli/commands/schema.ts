import { PawlError } from '../../../contract/exit.ts'
import { findNearest } from '../../../contract/nearest.ts'
import type { Program } from '../../../run/mode.ts'
import type { Handler } from '../../terminal/command.ts'

export const handle: Handler = async ({ program, args, io }) => {
  const [name] = args
  const schemas = listSchemas(program)
  const names = Object.keys(schemas)
  if (name === undefined) {
    io.result({ schemas: names }, () => names)
    return 0
  }
  const load = Object.hasOwn(schemas, name) ? schemas[name] : undefined
  if (!load) {
    const close = findNearest(name, names)
    throw new PawlError(
      2,
      `unknown schema ${name}`,
      close ? `Did you mean ${close}?` : `Known schemas: ${names.join(', ')}`,
    )
  }
  const schema = await load()
  io.result(schema, () => [JSON.stringify(schema, null, 2)])
  return 0
}

type Schema = Awaited<ReturnType<Program['modes'][number]['schemas'][string]>>

/** JSON schemas, by name, of every file and message that other programs may read or write. */
export function listSchemas({ machine, modes }: Program): Readonly<Record<string, () => Promise<object>>> {
  const shared = {
    event: async () => (await import('../../../contract/event.ts')).Fact,
    note: async () => (await import('../../../contract/event.ts')).Note,
    progress: async () => (await import('../../../contract/line.ts')).Line,
    request: async () => (await import('../../../contract/envelope.ts')).Envelope,
    script: async () => (await import('../../../contract/script.ts')).ScriptFile,
  }
  const all = [shared, ...modes.map(({ schemas }) => schemas)].flatMap((schemas) => Object.entries(schemas))
  const named = all.map(([name, load]) => [name, async () => toJsonSchema(await load())] as const)
  const config = async (): Promise<object> =>
    (await import('../../../config/json-schema.ts')).configJsonSchema(await machine.configShape())
  return Object.fromEntries([['config', config] as const, ...named].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const toJsonSchema = (schema: Schema): object => schema.toJSONSchema({ io: 'input', unrepresentable: 'any' })
