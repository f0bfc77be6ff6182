import { randomBytes } from 'node:crypto'
import { lstatSync, mkdtempSync, readlinkSync, realpathSync, renameSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Confine, type Loose, type Mount, planMounts } from './mounts.ts'
import { holdPlaceholder } from './placeholder.ts'

/** What confines one command, for as long as it runs. */
export type Sandbox = {
  readonly mounts: readonly Mount[]
  /** A temp folder of the command's own, for the system's is read-only. */
  readonly temp: string
  /** Called when the command and all it started are gone. Returns what there is to tell. */
  leave(): Promise<string[]>
}

/** Contract: throws when it cannot be done as asked, and has changed nothing then. */
export async function enterSandbox(confine: Confine): Promise<Sandbox> {
  const temp = mkdtempSync(join(realpathSync(tmpdir()), 'pawl-'))
  const releases: (() => void)[] = []
  let loose: readonly Loose[] = []

  async function leave(): Promise<string[]> {
    for (const release of releases) release()
    await rm(temp, { recursive: true, force: true }).catch(() => {})
    return putBack(loose)
  }

  try {
    const plan = planMounts({ ...confine, writable: [...confine.writable, temp] })
    for (const { path, as } of plan.mounts) if (as === 'stand-in') releases.push(holdPlaceholder(path))
    loose = plan.loose
    return { mounts: plan.mounts, temp, leave }
  } catch (error) {
    await leave()
    throw error
  }
}

/**
 * Makes what no mount could hold as it was before the command, and returns the sentences about it. What stood there is
 * kept under another name: it may be a person's, made meanwhile. The folder above is held by a mount, so it is the same.
 */
function putBack(loose: readonly Loose[]): string[] {
  return loose.flatMap(({ path, target }) => {
    try {
      if (readPathState(path) === target) return []
      const aside = `${path}.refused-${randomBytes(3).toString('hex')}`
      const moved = readPathState(path) !== null
      if (moved) renameSync(path, aside)
      if (target !== null) symlinkSync(target, path)
      return [`${path} is protected and was put back${moved ? `; what stood there is ${aside}` : ''}`]
    } catch (error) {
      return [`${path} is protected, was changed and cannot be put back: ${(error as Error).message}`]
    }
  })
}

/** Null: nothing is there. A string: a link to that. */
function readPathState(path: string): string | true | null {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return null
  return found.isSymbolicLink() ? readlinkSync(path) : true
}
