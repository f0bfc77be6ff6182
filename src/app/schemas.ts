import { z } from 'zod'
import { ScriptFile } from '../adapters/scripted/script.ts'
import { Fact, Note } from '../contract/event.ts'
import { RunRequest } from '../contract/request.ts'
import { configJsonSchema } from './config/json-schema.ts'

const toSchema = (schema: z.ZodType) => (): object => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })

/** Every file and message that others may read or write, as JSON schema. */
export const schemas: Readonly<Record<string, () => object>> = {
  config: configJsonSchema,
  event: toSchema(Fact),
  note: toSchema(Note),
  request: toSchema(RunRequest),
  script: toSchema(ScriptFile),
}
