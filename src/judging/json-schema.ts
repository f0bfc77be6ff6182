import { z } from 'zod'
import type { JsonSchema } from '../ports/model.ts'

/** The schema of an answer as models are given it. */
export function jsonSchemaOf(answer: z.ZodObject): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(answer)
  return schema
}
