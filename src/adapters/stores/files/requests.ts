import { join } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import { NotSavedError } from '../../../ports/journal.ts'
import type { FrozenText } from '../../../ports/run-store.ts'
import { hash } from '../shared/values.ts'
import { createAtomic, type Disk, hasCode, readPlain, syncFolder } from './disk.ts'
import { requestName } from './entries.ts'
import { listNotes } from './inbox.ts'

/**
 * Returns the run's original request, then its amendments, oldest first. An amendment counts once a note names it: a file
 * without a note is left over from a start that was killed.
 */
export async function readRequests(disk: Disk, dir: string): Promise<[FrozenText, ...FrozenText[]]> {
  const read = (name: string): FrozenText => readRequest(disk, join(dir, name))
  const names = amendments(disk, dir).map(amendmentName)
  if (names.length === 0) return [read(requestName)]
  const noted = (await listNotes(disk, dir)).flatMap((note) => (note.say === 'amend' ? [note.request] : []))
  const hashes = new Map(noted.map(({ path, sha256 }) => [path, sha256]))
  const used = names.filter((name) => hashes.has(name))
  const amended = used.map(read)
  const changed = amended.find(({ sha256 }, index) => hashes.get(used[index]!) !== sha256)
  if (!changed) return [read(requestName), ...amended]
  throw new PawlError(30, `${changed.where} was changed after it was recorded`, 'Restore it, or start a new run.')
}

function readRequest(disk: Disk, path: string): FrozenText {
  try {
    const text = readPlain(disk, path, 1 << 20)
    return { text, sha256: hash(text), where: path }
  } catch (error) {
    if (error instanceof PawlError) throw error
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
