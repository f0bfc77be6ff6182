import { constants } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { z } from 'zod'
import type { Usage } from '../../contract/values.ts'

export type AgentResult = {
  readonly usage: Usage
  /** When a usage limit ends, in epoch milliseconds. */
  readonly resetAt: number | null
}

/** Reads the agent's result file. Contract: never rejects; a missing or invalid value is null. */
export async function readResult(path: string | undefined): Promise<AgentResult> {
  const text = path === undefined ? '' : await readSmallFile(path).catch(() => '')
  const { usage, limit } = ResultFields.parse(parseJson(text))
  return { usage: { tokens: usage.tokens, costUsd: usage.cost_usd }, resetAt: limit.reset_at }
}

/** Removes the result of an earlier attempt. */
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

const maxBytes = 64 * 1024

/** The agent controls this path, so it does not follow symlinks, wait for named pipes or read large files. */
async function readSmallFile(path: string): Promise<string> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags)
  try {
    const kind = await file.stat()
    if (!kind.isFile() || kind.size > maxBytes) return ''
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0)
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
