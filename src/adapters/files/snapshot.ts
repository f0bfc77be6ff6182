import { join } from 'node:path'
import { z } from 'zod'
import type { Line } from '../../contract/line.ts'
import { type Disk, writeWhole } from './disk.ts'
import type { Scan } from './reader.ts'

const Snapshot = z.object({ key: z.string(), seq: z.number(), end: z.number(), epoch: z.number(), view: z.unknown() })
const name = 'snapshot.json'
const lookBack = 4096

/** A shortcut past the events that it stands for. It counts only if the line that it ends with is still there. */
export function readSnapshot(
  disk: Disk,
  dir: string,
  fd: number,
  key: string,
): { view: unknown; scan: Scan } | undefined {
  try {
    const found = Snapshot.parse(JSON.parse(disk.readFileSync(join(dir, name), 'utf8')))
    const line = lineBefore(disk, fd, found.end)
    if (found.key !== key || line?.seq !== found.seq || line.epoch !== found.epoch) return undefined
    const { end, seq, epoch, view } = found
    return { view, scan: { end, seq, epoch, version: 1, unknown: 0, stale: 0 } }
  } catch {
    return undefined
  }
}

export function writeSnapshot(disk: Disk, dir: string, snapshot: z.infer<typeof Snapshot>): void {
  try {
    writeWhole(disk, join(dir, name), JSON.stringify(snapshot))
  } catch {
    // Only a shortcut: the journal still holds everything.
  }
}

function lineBefore(disk: Disk, fd: number, end: number): Line | undefined {
  const start = Math.max(0, end - lookBack)
  const bytes = Buffer.alloc(end - start)
  if (disk.readSync(fd, bytes, 0, bytes.length, start) !== bytes.length || bytes.at(-1) !== 10) return undefined
  const begin = bytes.lastIndexOf(10, bytes.length - 2) + 1
  return JSON.parse(bytes.toString('utf8', begin)) as Line
}
