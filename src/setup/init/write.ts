import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadSettings } from '../../config/load-settings.ts'
import { listCommands, trust } from '../../config/trust.ts'
import { PawlError } from '../../contract/exit.ts'
import type { Machine } from '../../run/machine.ts'
import { machineAt } from '../../run/machine.ts'
import type { InitPlan } from './plan.ts'
import { refuseInTheWay } from './where.ts'

/** Writes what was planned, each file whole, and trusts it: the person has just asked for exactly this. */
export async function writeInit(machine: Machine, { root, files }: InitPlan): Promise<void> {
  const { stateFolder, program } = machine.environment
  // Somebody may have been quicker while the person thought about it.
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
    await trust(stateFolder, root, listCommands(await loadSettings(machineAt(machine, root))))
  } catch (error) {
    throw new PawlError(20, (error as Error).message, whatNow(program, written, files.length))
  }
}

function whatNow(program: string, written: readonly string[], of: number): string {
  if (written.length === 0) return `Nothing was written. Again: ${program} init`
  if (written.length < of) return `Written so far: ${written.join(', ')}. Remove these, then: ${program} init`
  return `All files are written, but not trusted. Go on with: ${program} run build --trust`
}

/** Whole or not at all under its name, and with the rights that other files of the repository have. */
function writeFile(path: string, text: string): void {
  const part = `${path}.${process.pid}.part`
  try {
    // Not recursive: that reports a read-only disk as a missing folder.
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
    // What went wrong is told already.
  }
}
