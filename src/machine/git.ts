import { openGit, workTreeOf } from '../adapters/git/git.ts'
import { findGitDir } from '../adapters/git/git-dir.ts'
import { createRepository } from '../adapters/git/repository.ts'
import { capture } from '../adapters/shell/capture.ts'
import type { Environment, Git } from '../run/machine.ts'

const boundMs = 10_000

/** Git as this machine has it. What changes a repository is loaded when it is first needed. */
export function openGitTools({ env }: Pick<Environment, 'env'>): Git {
  return {
    openRepository: (folder) => createRepository({ folder, env, capture }),
    async openSnapshots(folder, ownFolders) {
      const { createSnapshots } = await import('../adapters/git/snapshots/snapshots.ts')
      return createSnapshots({ folder, env, capture, ownFolders })
    },
    findWorkTree: workTreeOf,
    findGitFolder: findGitDir,
    /** Before the first commit a branch is there by name only. */
    async hasBranch(folder, branch) {
      const git = await openGit(workTreeOf(folder) ?? folder, { capture, env, deadline: performance.now() + boundMs })
      if (await git.ask('rev-parse', '--verify', '--quiet', '--end-of-options', `${branch}^{commit}`)) return true
      const head = await git.ask('symbolic-ref', '--short', 'HEAD')
      return head?.toString('utf8').trim() === branch
    },
    async checkAuthor(folder, author) {
      const { openTool } = await import('../adapters/git/snapshots/tool.ts')
      const { identityFor } = await import('../adapters/git/snapshots/identity.ts')
      await identityFor(await openTool(folder, { capture, env, deadline: performance.now() + boundMs }), env, author)
    },
  }
}
