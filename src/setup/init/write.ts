import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadSettings } from '../../config/load-settings.ts'
import { listCommands, recordTrust } from '../../config/trust.ts'
import { PawlError } from '../../contract/exit.ts'
import type { Machine } from '../../run/machine.ts'
import { machineAt } from '../../run/machine.ts'
import type { InitPlan } from './plan.ts'
import { refuseInTheWay } from './where.ts'

/** Writes the planned files, each one atomically, and trusts their commands: the person has just agreed to them. */
export async function writeInit(machine: Machine, { root, files }: InitPlan): Promise<void> {
  const { stateFolder, program } = machine.environment
  // The files may have appeared while the person was deciding.
  refuseInTheWay(
    root,
    files.map(({ path }) => path),
  )
  const written: string[] = []
  try {
    for (const { path, text } of files) {
      writeFile(join(root, path), text)
      written.push(path)
    }
    await recordTrust(stateFolder, root, listCommands(await loadSettings(machineAt(machine, root))))
  } catch (error) {
    throw new PawlError(20, (error as Error).message, formatHint(program, written, files.length))
  }
}

function formatHint(program: string, written: readonly string[], total: number): string {
  if (written.length === 0) return `Nothing was written. To try again: ${program} init`
  if (written.length < total) return `Written so far: ${written.join(', ')}. Remove these, then: ${program} init`
  return `All files are written, but not trusted. To trust and run them: ${program} run build --trust`
}

/** Writes a file atomically, with default permissions. */
function writeFile(path: string, text: string): void {
  const part = `${path}.${process.pid}.part`
  try {
    // Not recursive, because a recursive mkdir reports a read-only disk as a missing folder.
    if (!existsSync(dirname(path))) mkdirSync(dirname(path))
    writeFileSync(part, text, { flag: 'wx' })
    renameSync(part, path)
  } catch (error) {
    removeQuietly(part)
    throw new Error(`cannot write ${path}: ${(error as Error).message}`)
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The caller reports the first error.
  }
}
