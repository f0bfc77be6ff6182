import { lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PawlError } from '../contract/exit.ts'

/** Throws if something else is in the place of a folder that this program keeps in the workspace. */
export function checkWorkspaceFolders(workspace: string, folder: string): void {
  for (const path of [folder, join(folder, 'runs'), join(folder, 'state')]) {
    const found = findObstacle(join(workspace, path))
    if (!found) continue
    const what = `${path} is ${found}: runs and their state are kept there`
    throw new PawlError(30, what, `Move it away, then try again: mv ${path} ${path}.old`, 'not_a_folder')
  }
}

function findObstacle(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : 'not a folder'
  } catch {
    return isLink(path) ? 'a link that leads nowhere' : undefined
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}
