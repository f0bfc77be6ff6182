import { z } from 'zod'
import { ScriptFile } from '../adapters/scripted/script.ts'
import { configJsonSchema } from '../config/json-schema.ts'
import { Fact, Note } from '../contract/event.ts'
import { Line } from '../contract/line.ts'
import { RunRequest } from '../contract/request.ts'
import { RunInput } from '../modes/delivery/contract/input.ts'
import { Plan } from '../modes/delivery/contract/plan.ts'
import { DeliveryResult } from '../modes/delivery/contract/result.ts'

const toSchema = (schema: z.ZodType) => (): object => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })

/** Every file and message that others may read or write, as JSON schema. */
export const schemas: Readonly<Record<string, () => object>> = {
  config: configJsonSchema,
  event: toSchema(Fact),
  note: toSchema(Note),
  plan: toSchema(Plan),
  progress: toSchema(Line),
  request: toSchema(RunRequest),
  result: toSchema(DeliveryResult),
  'run-input': toSchema(RunInput),
  script: toSchema(ScriptFile),
}
