import { PawlError } from '../../../contract/exit.ts'
import { nearest } from '../../../contract/nearest.ts'
import type { Handler } from '../../terminal/command.ts'
import { listSchemas } from '../output/schemas.ts'

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
    const close = nearest(name, names)
    throw new PawlError(
      2,
      `no schema is called ${name}`,
      close ? `Did you mean ${close}?` : `There are: ${names.join(', ')}`,
    )
  }
  const schema = await load()
  io.result(schema, () => [JSON.stringify(schema, null, 2)])
  return 0
}
