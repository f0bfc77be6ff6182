import { PawlError } from '../../../contract/exit.ts'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import type { Machine } from '../../../run/machine.ts'
import type { Starter } from '../../../run/mode.ts'

/** Every iteration is a commit: makes sure that there is a repository, after asking once, and that git knows who commits. */
export async function ensureRepository(
  { git, environment }: Machine,
  folder: string,
  { ask, tell }: Starter,
): Promise<void> {
  const { cwd } = environment
  if (git.findWorkTree(folder) === undefined) {
    tell(`Every iteration is a git commit, and ${cwd} is not in a git repository.`)
    const answer = await ask('Create one there?', ['yes', 'no'])
    if (answer !== 'yes')
      throw new PawlError(10, `${cwd} is not in a git repository`, `Create one: git -C ${cwd} init`, 'no_repository')
    await git.createRepository(cwd)
    tell(`Created a git repository in ${cwd}`)
  }
  try {
    await git.checkAuthor(folder, undefined)
  } catch (error) {
    if (!(error instanceof RepositoryBlockedError)) throw error
    throw new PawlError(10, error.message, undefined, 'no_identity')
  }
}
