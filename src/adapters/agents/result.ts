import { constants } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { z } from 'zod'
import type { Usage } from '../../contract/values.ts'

export type AgentResult = {
  readonly usage: Usage
  /** When a limit of the provider ends, as epoch time. */
  readonly resetAt: number | null
}

/** Reads what an agent told of itself. Contract: never rejects; whatever is not plainly there is unknown. */
export async function readResult(path: string | undefined): Promise<AgentResult> {
  const text = path === undefined ? '' : await readSmallFile(path).catch(() => '')
  const { usage, limit } = ResultFields.parse(parseJson(text))
  return { usage: { tokens: usage.tokens, costUsd: usage.cost_usd }, resetAt: limit.reset_at }
}

/** An earlier attempt's words must not be taken for this one's. */
export async function clearResult(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => {})
}

const amount = z.number().nonnegative().max(1e15).nullable().catch(null)
const unknownUsage = { tokens: null, cost_usd: null }
const noLimit = { reset_at: null }
const ResultFields = z
  .object({
    usage: z.object({ tokens: amount, cost_usd: amount }).catch(unknownUsage),
    limit: z.object({ reset_at: amount }).catch(noLimit),
  })
  .catch({ usage: unknownUsage, limit: noLimit })

const mostBytes = 64 * 1024

/** The agent chose what lies there: no link is followed, no pipe waited for and nothing big read. */
async function readSmallFile(path: string): Promise<string> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags)
  try {
    const kind = await file.stat()
    if (!kind.isFile() || kind.size > mostBytes) return ''
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mostBytes), 0, mostBytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
