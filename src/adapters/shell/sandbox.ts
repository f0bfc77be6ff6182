import { copyFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Loose, recordLoose, restoreLeft, restoreLoose } from './loose.ts'
import { type Confine, type Mount, planMounts } from './mounts.ts'
import { holdPlaceholder } from './placeholder.ts'
import { makeTempFolder } from './temp-folder.ts'

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
  const { keep } = confine
  const notices = restoreLeft(keep)
  const temp = makeTempFolder()
  const folders = [temp]
  const releases: (() => void)[] = []
  let loose: readonly Loose[] = []

  async function leave(): Promise<string[]> {
    for (const release of releases) release()
    for (const folder of folders) await rm(folder, { recursive: true, force: true }).catch(() => {})
    return [...notices.splice(0), ...restoreLoose(loose, keep)]
  }

  /** Copies the file to where only this command sees it. */
  function withSource(mount: Mount): Mount {
    if (mount.as !== 'copy') return mount
    const folder = makeTempFolder()
    folders.push(folder)
    const from = join(folder, 'copy')
    copyFileSync(mount.path, from)
    return { ...mount, from }
  }

  try {
    const plan = planMounts({ ...confine, writable: [...confine.writable, temp] })
    for (const { path, as } of plan.mounts) if (as === 'stand-in') releases.push(holdPlaceholder(path))
    const mounts = plan.mounts.map(withSource)
    releases.push(recordLoose(plan.loose, keep))
    loose = plan.loose
    return { mounts, temp, leave }
  } catch (error) {
    await leave()
    throw error
  }
}
