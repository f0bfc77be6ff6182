import type { z } from 'zod'

/** Parses a model's reply strictly: one JSON object of this schema, at most in a code fence. */
export function readJsonReply<T>(
  reply: string,
  schema: z.ZodType<T>,
): { readonly value: T } | { readonly unreadable: string } {
  const text = reply.trim()
  const fenced = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/.exec(text)?.[1] ?? text
  const body = fenced.slice(fenced.indexOf('{'), fenced.lastIndexOf('}') + 1)
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch (error) {
    return { unreadable: `It is not valid JSON (${(error as Error).message.slice(0, 120)})` }
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { value: parsed.data }
  const { path, message } = parsed.error.issues[0]!
  return { unreadable: `${path.join('.') || 'the object'}: ${message}` }
}
