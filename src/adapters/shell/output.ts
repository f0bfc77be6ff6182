import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import type { Mask } from './mask.ts'

/** One output stream of a process: masked first, then logged, added to the tail and passed to the listener. */
export type Output = {
  take(chunk: Buffer): void
  end(): void
  tail(): string
}

export function createOutput(mask: Mask, log: CappedLog, listener: ((text: string) => void) | undefined): Output {
  const tail = createTail(tailBytes)
  const decoder = new StringDecoder('utf8')

  function pass(masked: Buffer): void {
    if (masked.length === 0) return
    log.write(masked)
    tail.push(masked)
    if (listener) notify(listener, decoder.write(masked))
  }

  function end(): void {
    pass(mask.end())
    if (listener) notify(listener, decoder.end())
  }

  return { take: (chunk) => pass(mask.write(chunk)), end, tail: () => tail.text() }
}

const tailBytes = 64 * 1024

/** A bug in a listener must not end an attempt. */
function notify(listener: (text: string) => void, text: string): void {
  if (text === '') return
  try {
    listener(text)
  } catch {}
}

/** The last `capacity` bytes of a stream, in a ring buffer of fixed size. */
type Tail = { push(bytes: Buffer): void; text(): string }

export function createTail(capacity: number): Tail {
  let ring: Buffer | null = null
  let total = 0

  function push(bytes: Buffer): void {
    ring ??= Buffer.allocUnsafe(capacity)
    const last = bytes.subarray(Math.max(0, bytes.length - capacity))
    const at = (total + bytes.length - last.length) % capacity
    const copied = last.copy(ring, at)
    last.copy(ring, 0, copied)
    total += bytes.length
  }

  function text(): string {
    if (!ring) return ''
    if (total <= capacity) return ring.toString('utf8', 0, total)
    const at = total % capacity
    return withoutTornStart(Buffer.concat([ring.subarray(at), ring.subarray(0, at)])).toString('utf8')
  }

  return { push, text }
}

/** Drops the continuation bytes of a UTF-8 character that was cut in two. */
function withoutTornStart(bytes: Buffer): Buffer {
  let start = 0
  while (start < 3 && (bytes[start]! & 0xc0) === 0x80) start += 1
  return bytes.subarray(start)
}

/** A process's log, created on the first byte, cut at a cap. Contract: never throws; `detail` returns the first error. */
type CappedLog = {
  write(bytes: Buffer): void
  close(): void
  truncated(): boolean
  detail(): string | undefined
}

// The agent may be able to write this folder, so do not follow a symlink and do not wait for a named pipe.
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

/** For output that must not be stored on disk. */
export const noLog: CappedLog = {
  write: () => {},
  close: () => {},
  truncated: () => false,
  detail: () => undefined,
}

/** A full disk first causes a short write, and only then an error. */
function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}
