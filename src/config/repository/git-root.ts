import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A home that is kept in git as a whole is not the repository of the folders in it. */
export function gitRoot(from: string, home: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git')) && (folder === from || folder !== home)) return folder
    if (folder === dirname(folder)) return undefined
  }
}
