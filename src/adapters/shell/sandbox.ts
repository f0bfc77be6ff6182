import { randomBytes } from 'node:crypto'
import { lstatSync, mkdtempSync, readlinkSync, realpathSync, renameSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Confine, type Loose, type Mount, planMounts } from './mounts.ts'
import { holdPlaceholder } from './placeholder.ts'

/** The confinement of one command while it runs. */
export type Sandbox = {
  readonly mounts: readonly Mount[]
  /** The command's own temp folder, because the system's is read-only. */
  readonly temp: string
  /** Call when the command and all its descendants are gone. Returns one notice per restored path. */
  leave(): Promise<string[]>
}

/** Contract: throws if the confinement cannot be set up exactly as requested, and leaves nothing changed then. */
export async function enterSandbox(confine: Confine): Promise<Sandbox> {
  const temp = mkdtempSync(join(realpathSync(tmpdir()), 'pawl-'))
  const releases: (() => void)[] = []
  let loose: readonly Loose[] = []

  async function leave(): Promise<string[]> {
    for (const release of releases) release()
    await rm(temp, { recursive: true, force: true }).catch(() => {})
    return restore(loose)
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
 * Restores the paths that no mount could protect and returns a notice for each. The other version is renamed, not
 * deleted: the user may have created it meanwhile. The parent folder is a mount point, so it has not been replaced.
 */
function restore(loose: readonly Loose[]): string[] {
  return loose.flatMap(({ path, target }) => {
    try {
      if (readPathState(path) === target) return []
      const aside = `${path}.refused-${randomBytes(3).toString('hex')}`
      const moved = readPathState(path) !== null
      if (moved) renameSync(path, aside)
      if (target !== null) symlinkSync(target, path)
      return [`${path} is protected and was restored${moved ? `; the other version is now ${aside}` : ''}`]
    } catch (error) {
      return [`${path} is protected and was changed, but cannot be restored: ${(error as Error).message}`]
    }
  })
}

/** Returns null if nothing exists there, the target of a symlink, or true for anything else. */
function readPathState(path: string): string | true | null {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return null
  return found.isSymbolicLink() ? readlinkSync(path) : true
}
