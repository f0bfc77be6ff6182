import { z } from 'zod'
import type { ConfigShape } from '../contract/config/shape.ts'

/** Describes what people write, so durations are texts or numbers here, not milliseconds. */
export function configJsonSchema({ schema }: ConfigShape): Readonly<Record<string, unknown>> {
  return { title: 'Pawl configuration', ...z.toJSONSchema(schema, { io: 'input' }) }
}
