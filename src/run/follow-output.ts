import { closeSync, lstatSync, readdirSync, readSync } from 'node:fs'
import { basename, join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as delay } from 'node:timers/promises'
import { openPlain, realDisk } from '../adapters/stores/files/disk.ts'
import { readRun } from './read-run.ts'

const longestTail = 64 * 1024
const lookMs = 200

type Log = { readonly path: string; readonly size: number }

/** The end of the log that was written last. */
export function newestOutput(dir: string): { path: string; text: string } | undefined {
  const newest = newestLog(dir)
  return (
    newest && { path: newest.path, text: readFrom(newest, Math.max(0, newest.size - longestTail)).toString('utf8') }
  )
}

/** What agents and gates print, as they print it, one log after the other, until nobody runs the run any more. */
export async function* followOutput(dir: string): AsyncGenerator<string> {
  let path: string | undefined
  let at = 0
  let decoder = new StringDecoder('utf8')
  for (;;) {
    const over = readRun(dir).owner === undefined
    const newest = newestLog(dir)
    if (newest && newest.path !== path) {
      if (path !== undefined) yield* rest(path)
      path = newest.path
      at = Math.max(0, newest.size - longestTail)
      decoder = new StringDecoder('utf8')
      yield `== ${basename(path)} ==\n`
    }
    if (path !== undefined) yield* rest(path)
    if (over) return
    await delay(lookMs)
  }

  function* rest(log: string): Generator<string> {
    const bytes = readFrom({ path: log, size: lstatSync(log).size }, at)
    at += bytes.length
    if (bytes.length > 0) yield decoder.write(bytes)
  }
}

function newestLog(dir: string): Log | undefined {
  const folder = join(dir, 'attempts')
  const logs = readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, stat: lstatSync(path) }))
    .filter(({ stat }) => stat.isFile())
    .sort((a, b) => b.stat.mtimeMs - a.stat.mtimeMs)
  const newest = logs[0]
  return newest && { path: newest.path, size: newest.stat.size }
}

function readFrom({ path, size }: Log, from: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, Math.min(size - from, 1 << 20)))
  if (bytes.length === 0) return bytes
  const fd = openPlain(realDisk, path)
  try {
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from))
  } finally {
    closeSync(fd)
  }
}
