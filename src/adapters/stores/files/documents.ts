import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import { NotSavedError } from '../../../ports/journal.ts'
import type { FrozenText, Slot } from '../../../ports/run-store.ts'
import { createAtomic, type Disk, hasCode, readPlain, syncFolder, writeAtomic } from './disk.ts'
import { requestName } from './entries.ts'

export const hashText = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns the run's original request, then its amendments, oldest first. */
export function readRequests(disk: Disk, dir: string): [FrozenText, ...FrozenText[]] {
  const read = (name: string): FrozenText => readRequest(disk, join(dir, name))
  return [read(requestName), ...amendments(disk, dir).map(amendmentName).map(read)]
}

function readRequest(disk: Disk, path: string): FrozenText {
  try {
    const text = readPlain(disk, path, 1 << 20)
    return { text, sha256: hashText(text), where: path }
  } catch (error) {
    throw new PawlError(30, `cannot read ${path}: ${(error as Error).message}`, 'The run cannot be resumed without it.')
  }
}

/** Stores an amended request and returns its path. Concurrent calls get different numbers. */
export function addRequest(disk: Disk, dir: string, text: string): string {
  for (let number = (amendments(disk, dir).at(-1) ?? 0) + 1; ; number++) {
    const path = join(dir, amendmentName(number))
    try {
      createAtomic(disk, path, text, { synced: true })
      syncFolder(disk, dir)
      return path
    } catch (error) {
      if (hasCode(error, 'EEXIST')) continue
      throw new NotSavedError(`cannot write ${path}: ${(error as Error).message}`, { cause: error })
    }
  }
}

const amendmentName = (number: number): string => `request.${number}.json`

function amendments(disk: Disk, dir: string): number[] {
  return disk
    .readdirSync(dir)
    .flatMap((name) => /^request\.([1-9][0-9]{0,6})\.json$/.exec(String(name))?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

const maxSlotBytes = 64 * 1024 * 1024

/** The result is indented for people; the other files are for programs. */
const files: Readonly<Record<Slot, { readonly name: string; readonly indent?: number }>> = {
  result: { name: 'result.json', indent: 2 },
  card: { name: 'card.json' },
  notified: { name: 'notified' },
}

export function readSlot(disk: Disk, dir: string, slot: Slot): unknown {
  try {
    return JSON.parse(readPlain(disk, join(dir, files[slot].name), maxSlotBytes))
  } catch {
    return undefined
  }
}

/** Best effort: a slot is derived from the journal, and the next open writes it again. */
export function writeSlot(disk: Disk, dir: string, slot: Slot, value: unknown): void {
  const { name, indent } = files[slot]
  try {
    writeAtomic(disk, join(dir, name), `${JSON.stringify(value, null, indent)}\n`)
  } catch {
    // At worst a notification is sent twice.
  }
}
