import { join } from 'node:path'
import { journalVersion } from '../../../contract/journal-version.ts'
import type { Line } from '../../../contract/line.ts'
import { type Disk, readPlain, writeWhole } from './disk.ts'
import { lineBefore } from './lines.ts'
import type { Scan } from './reader.ts'

type Snapshot = {
  /** The version of the journal that it stands for. */
  readonly journal: number
  readonly key: string
  readonly seq: number
  readonly end: number
  readonly epoch: number
  readonly view: { readonly state: { readonly seq: number }; readonly memo: unknown }
}
const name = 'snapshot.json'
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
      found.journal !== journalVersion ||
      !fits(found.key) ||
      found.view.state.seq !== found.seq ||
      found.view.memo === undefined ||
      line?.seq !== found.seq ||
      line.epoch !== found.epoch
    )
      return undefined
    const { end, seq, epoch, view } = found
    const scan = { end, seq, epoch, run: line.run_id, unknown: 0, stale: 0 }
    return { view, last: line, scan }
  } catch {
    return undefined
  }
}

export type NewSnapshot = Omit<Snapshot, 'journal' | 'view'> & { readonly view: unknown }

export function writeSnapshot(disk: Disk, dir: string, snapshot: NewSnapshot): void {
  try {
    writeWhole(disk, join(dir, name), JSON.stringify({ journal: journalVersion, ...snapshot }))
  } catch {
    // Only a shortcut: the journal still holds everything.
  }
}
