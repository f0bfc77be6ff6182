import { join } from 'node:path'
import { journalVersion, type Line } from '../../../contract/line.ts'
import { type Disk, readPlain, writeWhole } from './disk.ts'
import type { Scan } from './reader.ts'

type Snapshot = {
  readonly key: string
  readonly seq: number
  readonly end: number
  readonly epoch: number
  readonly view: { readonly state: { readonly seq: number }; readonly memo: unknown }
}
const name = 'snapshot.json'
const lookBack = 4096
const largest = 64 * 1024 * 1024

/** `last` is the line that the snapshot ends with. */
type Kept = { readonly view: unknown; readonly scan: Scan; readonly last: Line }

/**
 * A shortcut past the events that it stands for. It counts only if the line that it ends with is still there. Checked
 * by hand: a schema's first use would take longer than all the rest of a resume.
 */
export function readSnapshot(disk: Disk, dir: string, fd: number, fits: (key: string) => boolean): Kept | undefined {
  try {
    const found = JSON.parse(readPlain(disk, join(dir, name), largest)) as Snapshot
    const line = lineBefore(disk, fd, found.end)
    if (
      !fits(found.key) ||
      found.view.state.seq !== found.seq ||
      found.view.memo === undefined ||
      line?.seq !== found.seq ||
      line.epoch !== found.epoch
    )
      return undefined
    const { end, seq, epoch, view } = found
    const scan = { end, seq, epoch, run: line.run_id, version: journalVersion, unknown: 0, stale: 0 }
    return { view, last: line, scan }
  } catch {
    return undefined
  }
}

export type NewSnapshot = Omit<Snapshot, 'view'> & { readonly view: unknown }

export function writeSnapshot(disk: Disk, dir: string, snapshot: NewSnapshot): void {
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
