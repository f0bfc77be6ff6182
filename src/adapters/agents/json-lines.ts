import type { z } from 'zod'
import type { Activity } from './reader.ts'

/** Calls `take` with each line that is an event we know. Everything else on stdout is somebody else's. */
export function eventReader<Event>(schema: z.ZodType<Event>, take: (event: Event) => Activity | undefined) {
  return (text: string): Activity | undefined => {
    const event = schema.safeParse(parse(text))
    return event.success ? take(event.data) : undefined
  }
}

function parse(text: string): unknown {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** One line for a person: a tool and the first thing in its input that tells what it is about. */
export function toolLine(tool: string, input: unknown): string {
  const values = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {}
  const about = ['file_path', 'filePath', 'path', 'command', 'pattern', 'url', 'description'].find(
    (key) => typeof values[key] === 'string',
  )
  return about ? `${tool} ${firstLine(String(values[about]))}` : tool
}

export const firstLine = (text: string): string => text.trim().split('\n', 1)[0]!.slice(0, 200)
