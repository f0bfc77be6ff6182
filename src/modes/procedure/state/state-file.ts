import { join } from 'node:path'
import type { Files } from '../../../ports/files.ts'
import { StateFile } from '../contract/state-file.ts'

/** Where seed 002's state file of a procedure lies. `folder` is the program's own in the workspace. */
export const stateFilePath = (workspace: string, folder: string, name: string): string =>
  join(workspace, folder, 'state', `${name}.json`)

const mostBytes = 1 << 20

/** `unreadable` where there is something that is no state file. */
export function readStateFile(files: Files, path: string): StateFile | 'unreadable' | undefined {
  try {
    return StateFile.parse(JSON.parse(files.read(path, mostBytes)))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable'
  }
}

/** Without a sync of its own: after a power loss the journal says it all again. A folder that is gone stays gone. */
export const writeStateFile = (files: Files, path: string, file: StateFile): void =>
  files.write(path, `${JSON.stringify(file, null, 2)}\n`)

/** Nothing is overwritten: whatever lies there is kept under another name. */
export function moveAside(files: Files, path: string, now: Date): string {
  const aside = `${path}.${now.toISOString().replace(/[-:.]/g, '')}`
  files.rename(path, aside)
  return aside
}
