import { randomBytes } from 'node:crypto'
import { lstatSync, readlinkSync, renameSync, symlinkSync } from 'node:fs'
import type { Loose } from './mounts.ts'

/**
 * Makes what no mount could hold as it was before the command, and returns the sentences about it. What stood there is
 * kept under another name: it may be a person's, made meanwhile. The folder above is held by a mount, so it is the same.
 */
export function putBack(loose: readonly Loose[]): string[] {
  return loose.flatMap(({ path, target }) => {
    try {
      if (stateOf(path) === target) return []
      const aside = `${path}.refused-${randomBytes(3).toString('hex')}`
      const moved = stateOf(path) !== null
      if (moved) renameSync(path, aside)
      if (target !== null) symlinkSync(target, path)
      return [`${path} is protected and was put back${moved ? `; what stood there is ${aside}` : ''}`]
    } catch (error) {
      return [`${path} is protected, was changed and cannot be put back: ${(error as Error).message}`]
    }
  })
}

/** Null: nothing is there. A string: a link to that. */
function stateOf(path: string): string | true | null {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return null
  return found.isSymbolicLink() ? readlinkSync(path) : true
}
