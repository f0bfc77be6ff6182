import { findGitDir, workTreeOf } from '../adapters/git/git-dir.ts'
import type { Repository } from '../ports/repository.ts'
import type { Environment, Git } from '../run/machine.ts'

const boundMs = 10_000

/** Git as this machine has it. What asks git is loaded when it is first needed. */
export function openGitTools({ env }: Pick<Environment, 'env'>): Git {
  const capture = async () => (await import('../adapters/shell/capture.ts')).capture
  return {
    openRepository(folder) {
      const open = async (): Promise<Repository> => {
        const { createRepository } = await import('../adapters/git/repository.ts')
        return createRepository({ folder, env, capture: await capture() })
      }
      let opened: Promise<Repository> | undefined
      const repository = (): Promise<Repository> => {
        opened ??= open()
        return opened
      }
      return {
        look: async () => (await repository()).look(),
        changesSince: async (base) => (await repository()).changesSince(base),
      }
    },
    async openSnapshots(folder, ownFolders) {
      const { createSnapshots } = await import('../adapters/git/snapshots/snapshots.ts')
      return createSnapshots({ folder, env, capture: await capture(), ownFolders })
    },
    findWorkTree: workTreeOf,
    findGitFolder: findGitDir,
    /** Before the first commit a branch is there by name only. */
    async hasBranch(folder, branch) {
      const { openGit } = await import('../adapters/git/git.ts')
      const options = { capture: await capture(), env, deadline: performance.now() + boundMs }
      const git = await openGit(workTreeOf(folder) ?? folder, options)
      if (await git.ask('rev-parse', '--verify', '--quiet', '--end-of-options', `${branch}^{commit}`)) return true
      const head = await git.ask('symbolic-ref', '--short', 'HEAD')
      return head?.toString('utf8').trim() === branch
    },
    async checkAuthor(folder, author) {
      const { openTool } = await import('../adapters/git/snapshots/tool.ts')
      const { identityFor } = await import('../adapters/git/snapshots/identity.ts')
      const options = { capture: await capture(), env, deadline: performance.now() + boundMs }
      await identityFor(await openTool(folder, options), env, author)
    },
  }
}
