import { join } from 'node:path'
import type { Slot } from '../../../ports/run-store.ts'
import { type Disk, readPlain, writeAtomic } from './disk.ts'

const maxSlotBytes = 64 * 1024 * 1024

/** The result is indented for people; the other files are for programs. */
const files: Readonly<Record<Slot, { readonly name: string; readonly indent?: number }>> = {
  result: { name: 'result.json', indent: 2 },
  card: { name: 'card.json' },
  notified: { name: 'notified' },
  state: { name: 'state.json', indent: 2 },
}

export function readSlot(disk: Disk, dir: string, slot: Slot): unknown {
  try {
    return JSON.parse(readPlain(disk, join(dir, files[slot].name), maxSlotBytes))
  } catch {
    return undefined
  }
}

/** Putting undefined removes the file. Best effort: a slot is derived from the journal, and the next open writes it again. */
export function writeSlot(disk: Disk, dir: string, slot: Slot, value: unknown): void {
  const { name, indent } = files[slot]
  try {
    if (value === undefined) disk.rmSync(join(dir, name), { force: true })
    else writeAtomic(disk, join(dir, name), `${JSON.stringify(value, null, indent)}\n`)
  } catch {
    // At worst a notification is sent twice.
  }
}
