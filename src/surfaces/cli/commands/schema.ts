import { PawlError } from '../../../contract/exit.ts'
import { nearest } from '../../../contract/nearest.ts'
import { schemas } from '../../../run/schemas.ts'
import type { Handler } from '../command.ts'

export const handle: Handler = async ({ args, io }) => {
  const name = args[0]
  const names = Object.keys(schemas)
  if (name === undefined) {
    io.result({ schemas: names }, () => names)
    return 0
  }
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
  if (!schema) {
    const close = nearest(name, names)
    throw new PawlError(
      2,
      `no schema is called ${name}`,
      close ? `Did you mean ${close}?` : `There are: ${names.join(', ')}`,
    )
  }
  io.result(schema(), () => [JSON.stringify(schema(), null, 2)])
  return 0
}
