import { mkdtempSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Confine, type Loose, type Mount, planMounts } from './mounts.ts'
import { putBack } from './put-back.ts'
import { holdStandIn } from './stand-in.ts'

/** What confines one command, for as long as it runs. */
export type Cage = {
  readonly mounts: readonly Mount[]
  /** A temp folder of the command's own, for the system's is read-only. */
  readonly temp: string
  /** Called when the command and all it started are gone. Returns what there is to tell. */
  leave(): Promise<string[]>
}

/** Contract: throws when it cannot be done as asked, and has changed nothing then. */
export async function enterCage(confine: Confine): Promise<Cage> {
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
    for (const { path, as } of plan.mounts) if (as === 'stand-in') releases.push(holdStandIn(path))
    loose = plan.loose
    return { mounts: plan.mounts, temp, leave }
  } catch (error) {
    await leave()
    throw error
  }
}
