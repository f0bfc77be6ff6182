import { z } from 'zod'
import { Config } from '../contract/config.ts'

/** Describes what people write, so durations are texts or numbers here, not milliseconds. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  return { title: 'Pawl configuration', ...z.toJSONSchema(Config, { io: 'input' }) }
}
