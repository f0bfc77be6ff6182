import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { z } from 'zod'
import { PawlError } from '../../contract/exit.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import type { Program } from '../../run/mode.ts'
import type { Feeds } from './feed.ts'
import type { Runner } from './runner.ts'
import type { RunWatch, Streams } from './streams.ts'

export type AppParts = {
  readonly program: Program
  readonly feeds: Feeds
  readonly streams: Streams
  readonly watch: RunWatch
  readonly runner: Runner
  /** Scripted models for `--demo`. */
  readonly demo: boolean
  print(line: string): void
}

export type Bindings = { readonly outgoing: ServerResponse }
export type AppContext = Context<{ Bindings: Bindings }>

/** Finds a run by its whole id: a page never guesses. */
export async function findRun({ machine }: Program, id: string): Promise<StoredRun> {
  const stored = /^[\w.-]{1,100}$/.test(id) ? await machine.store.open(id) : undefined
  if (stored) return stored
  throw new PawlError(2, 'there is no such run', (pawl) => `To see all: ${pawl} ls --all`, 'not_found')
}

const mostBytes = 256 * 1024

/** Reads a JSON body of a known shape. */
export async function readBody<T>(c: AppContext, schema: z.ZodType<T>): Promise<T> {
  const text = await c.req.text().catch(() => {
    throw new PawlError(2, 'the request ended before its body was complete', undefined, 'invalid')
  })
  if (text.length > mostBytes) throw new PawlError(2, 'the request is too long', undefined, 'too_long')
  const parsed = schema.safeParse(parseJson(text === '' ? '{}' : text))
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw new PawlError(2, path.length > 0 ? `${path.join('.')}: ${message}` : message, undefined, 'invalid')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new PawlError(2, 'the request is not JSON', undefined, 'invalid')
  }
}
