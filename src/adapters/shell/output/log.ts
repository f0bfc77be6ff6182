import { closeSync, constants, openSync, writeSync } from 'node:fs'

/** A process's log: created with the first byte, cut at a cap. Contract: never throws; trouble is told in `detail`. */
export type CappedLog = {
  write(bytes: Buffer): void
  close(): void
  truncated(): boolean
  detail(): string | undefined
}

// The folder may be within the agent's reach: no link is followed in the log's place, and no pipe waited for.
const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants
const flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK

export function createLog(path: string, cap: number): CappedLog {
  let file: number | null = null
  let written = 0
  let trouble: string | undefined
  let full = false

  function write(bytes: Buffer): void {
    if (trouble !== undefined || full) return
    const room = cap - written
    attempt(() => {
      file ??= openSync(path, flags, 0o600)
      writeAll(file, bytes.subarray(0, room))
      written += Math.min(bytes.length, room)
      if (bytes.length <= room) return
      full = true
      writeAll(file, Buffer.from(`\n[truncated at ${cap} bytes]\n`))
    })
  }

  function close(): void {
    const open = file
    file = null
    if (open !== null) attempt(() => closeSync(open))
  }

  function attempt(effect: () => void): void {
    try {
      effect()
    } catch (error) {
      trouble ??= `the log ${path} is incomplete: ${(error as Error).message}`
    }
  }

  return { write, close, truncated: () => full || trouble !== undefined, detail: () => trouble }
}

/** For output that must not lie on disk. */
export const noLog: CappedLog = {
  write: () => {},
  close: () => {},
  truncated: () => false,
  detail: () => undefined,
}

/** A full disk shows itself as a short write first and as an error only then. */
function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}
