import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import { type GitOptions, openGit } from '../git.ts'
import { orNotSaved } from './effects.ts'
import { syncFile } from './sync.ts'
import { toAnswer } from './tool.ts'

/** Makes a folder a repository on the branch main. Without a template, because a template can contain hooks. */
export function initRepository(folder: string, options: GitOptions): Promise<void> {
  return orNotSaved(async () => {
    const gitDir = join(folder, '.git')
    if (isRepository(gitDir)) return
    const git = await openGit(folder, options)
    // Both folders are named, because git would not accept the work tree alone.
    const args = [`--git-dir=${gitDir}`, 'init', '--quiet', '--template=', '--initial-branch=main']
    const { code, says } = toAnswer(await git.run(args), 'init')
    if (code !== 0) throw new RepositoryBlockedError(`git init failed: ${says}`)
    // git does not sync these files. A power loss could leave an empty HEAD, and with it no repository.
    for (const path of ['', ...readdirSync(gitDir, { recursive: true, encoding: 'utf8' })]) syncFile(join(gitDir, path))
    syncFile(folder)
  })
}

/** git would reset some settings of a repository. A crash may have left a part of one; a file names the folder of one. */
const isRepository = (gitDir: string): boolean =>
  statSync(gitDir, { throwIfNoEntry: false })?.isFile() === true ||
  ['HEAD', 'config', 'objects', 'refs'].every((name) => existsSync(join(gitDir, name)))
