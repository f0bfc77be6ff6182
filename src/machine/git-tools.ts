import { rmSync } from 'node:fs'
import { findGitDir, findRepositoryRoot, readBranch } from '../adapters/git/paths.ts'
import { PawlError } from '../contract/exit.ts'
import type { Capture } from '../ports/capture.ts'
import type { Repository } from '../ports/repository.ts'
import type { Environment, Git } from '../run/machine.ts'
import { createSafeCapture, describeProblem, openPrograms } from './programs.ts'

const timeoutMs = 10_000

/** Opens git on this machine. The code is loaded on first use. */
export function openGitTools(environment: Pick<Environment, 'env' | 'home'>): Git {
  const { env } = environment
  const captures = new Map<string, Promise<Capture>>()
  const openCapture = async (folder: string): Promise<Capture> => {
    const { capture } = await import('../adapters/shell/capture.ts')
    const programs = openPrograms(environment, folder)
    const found = programs.find('git')
    if ('refused' in found)
      throw new PawlError(10, describeProblem('git', found), (pawl) => `To check this machine: ${pawl} doctor`)
    return createSafeCapture(programs, capture)
  }
  const captureAt = (folder: string): Promise<Capture> => {
    const capture = captures.get(folder) ?? openCapture(folder)
    captures.set(folder, capture)
    return capture
  }
  const openRepository: Git['openRepository'] = (folder) => {
    const open = async (): Promise<Repository> => {
      const { createRepository } = await import('../adapters/git/repository.ts')
      return createRepository({ folder, env, capture: await captureAt(folder) })
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
  }
  const askGit = async (folder: string) => {
    const { openGit } = await import('../adapters/git/git.ts')
    const options = { capture: await captureAt(folder), env, deadline: performance.now() + timeoutMs }
    return (await openGit(findRepositoryRoot(folder) ?? folder, options)).ask
  }
  return {
    openRepository,
    async findBranch(folder) {
      const gitDir = findGitDir(folder)
      const branch = gitDir === undefined ? undefined : readBranch(gitDir)
      return branch ?? (await openRepository(folder).look())?.branch ?? null
    },
    async openSnapshots(folder, ownFolders) {
      const { createSnapshots } = await import('../adapters/git/snapshots/snapshots.ts')
      return createSnapshots({ folder, env, capture: await captureAt(folder), ownFolders })
    },
    async openClone(source, run) {
      const [{ openClone }, { makeTempFolder }] = await Promise.all([
        import('../adapters/git/snapshots/clone.ts'),
        import('../adapters/shell/temp-folder.ts'),
      ])
      const folder = makeTempFolder()
      try {
        return await openClone(source, { run, folder, env, capture: await captureAt(folder) })
      } catch (error) {
        rmSync(folder, { recursive: true, force: true })
        throw error
      }
    },
    async findOrigin(folder) {
      const ask = await askGit(folder)
      const read = async (...args: string[]): Promise<string | undefined> =>
        (await ask(...args))?.toString('utf8').trim() || undefined
      return { url: await read('config', '--get', 'remote.origin.url'), commit: await read('rev-parse', 'HEAD') }
    },
    async openPathCommits(folder) {
      const { createPathCommits } = await import('../adapters/git/snapshots/path-commits.ts')
      return createPathCommits({ folder, env, capture: await captureAt(folder) })
    },
    async createRepository(folder) {
      const { initRepository } = await import('../adapters/git/snapshots/init.ts')
      await initRepository(folder, { capture: await captureAt(folder), env, deadline: performance.now() + timeoutMs })
    },
    findWorkTree: findRepositoryRoot,
    findGitFolder: findGitDir,
    /** Before the first commit, a branch exists only as the name in HEAD. */
    async hasBranch(folder, branch) {
      const ask = await askGit(folder)
      if (await ask('rev-parse', '--verify', '--quiet', '--end-of-options', `${branch}^{commit}`)) return true
      const head = await ask('symbolic-ref', '--short', 'HEAD')
      return head?.toString('utf8').trim() === branch
    },
    async hasRunRefs(folder, run) {
      const ask = await askGit(folder)
      return (await ask('for-each-ref', '--count=1', `refs/pawl/${run}/`))?.toString('latin1').trim() !== ''
    },
    async checkAuthor(folder, author) {
      const { openTool } = await import('../adapters/git/snapshots/tool.ts')
      const { requireIdentity } = await import('../adapters/git/snapshots/identity.ts')
      const options = { capture: await captureAt(folder), env, deadline: performance.now() + timeoutMs }
      requireIdentity(await openTool(folder, options), env, author)
    },
  }
}
