import { join } from 'node:path'
import type { Files } from '../ports/files.ts'
import type { Environment, Machine } from '../run/machine.ts'

const mostBytes = 1 << 16

/** What all runs of this person share, a small file each. Losing one costs time, and nothing else. */
export function openShared({ stateFolder }: Environment, files: Files): Machine['shared'] {
  const pathOf = (kind: string, id: string): string => join(stateFolder, kind, `${id}.json`)
  return {
    async get(kind, id) {
      try {
        return JSON.parse(files.read(pathOf(kind, id), mostBytes))
      } catch {
        return undefined
      }
    },
    async put(kind, id, value) {
      try {
        if (value === undefined) return files.remove(pathOf(kind, id))
        files.makeFolder(join(stateFolder, kind))
        files.write(pathOf(kind, id), `${JSON.stringify(value)}\n`)
      } catch {
        // The next run finds out by itself.
      }
    },
  }
}
