import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { realDisk } from '../adapters/files/disk.ts'
import { journalName, newScan } from '../adapters/files/journal.ts'
import { readEvents } from '../adapters/files/reader.ts'
import type { LoopEvent } from '../contract/event.ts'

const lookMs = 200

/** A run's events from the first on, and with `follow` those still to come, until it ends. */
export async function* followEvents(dir: string, follow: boolean, stop?: AbortSignal): AsyncGenerator<LoopEvent> {
  const path = join(dir, journalName)
  const scan = newScan()
  for (;;) {
    let over = !follow || stop?.aborted === true
    for (const event of readOn(path, scan)) {
      yield event
      over ||= event.type === 'run-ended'
    }
    if (over) return
    await delay(lookMs, undefined, { signal: stop }).catch(() => {})
  }
}

function* readOn(path: string, scan: ReturnType<typeof newScan>): Generator<LoopEvent> {
  if (!statSync(path, { throwIfNoEntry: false })) return
  const fd = openSync(path, 'r')
  try {
    for (const { event } of readEvents(realDisk, fd, path, scan)) yield event
  } finally {
    closeSync(fd)
  }
}

const longestTail = 64 * 1024

/** The end of the log that was written last. */
export function newestOutput(dir: string): { path: string; text: string } | undefined {
  const folder = join(dir, 'attempts')
  const logs = readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, mtimeMs: statSync(path).mtimeMs, size: statSync(path).size }))
    .sort((a, b) => b.mtimeMs - a.mtimeMs)
  const newest = logs[0]
  if (!newest) return undefined
  const bytes = Buffer.alloc(Math.min(newest.size, longestTail))
  const fd = openSync(newest.path, 'r')
  try {
    readSync(fd, bytes, 0, bytes.length, newest.size - bytes.length)
  } finally {
    closeSync(fd)
  }
  return { path: newest.path, text: bytes.toString('utf8') }
}
