import { z } from 'zod'
import type { ConfigShape } from '../contract/config/shape.ts'

/** Describes the file as written, so durations are strings or numbers, not milliseconds. */
export function configJsonSchema({ schema }: ConfigShape): Readonly<Record<string, unknown>> {
  return { title: 'Pawl configuration', ...z.toJSONSchema(schema, { io: 'input' }) }
}
