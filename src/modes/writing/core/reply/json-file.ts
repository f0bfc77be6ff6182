import { z } from 'zod'
import type { Project } from '../../contract/project.ts'
import type { Level } from '../../contract/project-type.ts'

type Value = Readonly<Record<string, unknown>>

/**
 * The schema of a model's reply for a JSON level. Selections are a list of pairs, because servers do not accept objects with keys that
 * the schema does not name.
 */
export function jsonFileSchema({ fields }: Pick<Level, 'fields'>): z.ZodType<Value> & z.ZodObject {
  const kinds = {
    text: () => z.string(),
    list: () => z.array(z.string()),
    selections: () => z.array(z.strictObject({ category: z.string(), values: z.array(z.string()) })),
  } as const
  return z.strictObject(Object.fromEntries(fields.map(({ name, kind }) => [name, kinds[kind]()])))
}

/**
 * Formats the file. Selections become an object. Keys that the file has and the type does not know stay: they are the person's own. A new
 * file also records the idea and the genre that it began with.
 */
export function formatJsonFile(
  { fields }: Pick<Level, 'fields'>,
  reply: Value,
  { before, project }: { readonly before: Value | undefined; readonly project: Project },
): string {
  const own = Object.entries(before ?? {}).filter(([key]) => !fields.some(({ name }) => name === key))
  const { idea, genre } = project
  const known = before ? own : Object.entries({ ...(idea && { concept: idea }), ...(genre && { genre }) })
  const entries = fields.map(({ name, kind }) => [name, kind === 'selections' ? toObject(reply[name]) : reply[name]])
  return `${JSON.stringify(Object.fromEntries([...entries, ...known]), null, 2)}\n`
}

const toObject = (value: unknown): Value =>
  Object.fromEntries(
    (value as readonly { readonly category: string; readonly values: readonly string[] }[]).map(
      ({ category, values }) => [category, values.length === 1 ? values[0] : values],
    ),
  )

/** Undefined if the text is not a JSON object. */
export function readJsonFile(text: string | undefined): Value | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Value) : undefined
  } catch {
    return undefined
  }
}
