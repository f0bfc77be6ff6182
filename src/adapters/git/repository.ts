import type { Capture } from '../../ports/capture.ts'
import type { Repository } from '../../ports/repository.ts'
import { changesBetween } from './changes.ts'
import { openGit } from './git.ts'
import { workTreeOf } from './git-dir.ts'
import { lookAt } from './look.ts'
import { walkFolder } from './walk.ts'

export type RepositoryOptions = {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly capture: Capture
}

const mostMs = 10_000

/** The repository that a folder lies in, or the folder itself where git has no answer. */
export function createRepository({ folder, env, capture }: RepositoryOptions): Repository {
  const withinTime = () => ({ capture, env, deadline: performance.now() + mostMs })
  const root = (): string | undefined => workTreeOf(folder)
  return {
    look: () =>
      orUnknown(async () => {
        const [at, options] = [root(), withinTime()]
        return at !== undefined ? lookAt(at, options) : walkFolder(folder, options.deadline)
      }),
    changesSince: (base) =>
      orUnknown(async () => {
        const at = root()
        return at === undefined ? undefined : changesBetween(await openGit(at, withinTime()), base)
      }),
  }
}

/** Too much, too slow, or a file system that fails: whatever it is, nothing is known. */
async function orUnknown<T>(answer: () => Promise<T>): Promise<T | undefined> {
  try {
    return await answer()
  } catch {
    return undefined
  }
}
