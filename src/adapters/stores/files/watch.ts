import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { RunEntry } from '../../../ports/run-store.ts'
import type { Disk } from './disk.ts'
import { journalName } from './lines.ts'

const lookMs = 500

/**
 * Rings for runs that differ from the look before. The first look is taken at once, so whoever lists behind this call misses nothing.
 * Looking now and then works on every file system, also for runs of other folders.
 */
export function watchRuns(disk: Disk, entries: () => readonly RunEntry[], signal: AbortSignal): AsyncIterable<string> {
  let before = look()
  return rings()

  async function* rings(): AsyncGenerator<string> {
    while (!signal.aborted) {
      const now = look()
      const changed = [...now.keys(), ...before.keys()].filter((id) => now.get(id) !== before.get(id))
      before = now
      for (const id of new Set(changed)) yield id
      await delay(lookMs, undefined, { signal }).catch(() => {})
    }
  }

  function look(): Map<string, string> {
    return new Map(entries().map(({ id, address, trusted }) => [id, `${trusted} ${marksOf(disk, address)}`]))
  }
}

/** Its folder changes with its owner and with what it keeps, its journal with each event, its inbox with each note. */
function marksOf(disk: Disk, dir: string): string {
  return [dir, join(dir, journalName), join(dir, 'inbox')]
    .map((path) => {
      const { mtimeMs = 0, size = 0 } = disk.lstatSync(path, { throwIfNoEntry: false }) ?? {}
      return `${mtimeMs}:${size}`
    })
    .join(' ')
}
