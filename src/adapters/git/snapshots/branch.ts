import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import { textOf } from '../names.ts'
import type { Tool } from './tool.ts'
import { type Change, filteredAmong } from './trees.ts'

const underway = {
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase or an am',
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  sequencer: 'a cherry-pick or a revert',
  BISECT_LOG: 'a bisect',
} as const

/** The branch that HEAD is, as a ref, if one may commit on it now. */
export async function openBranch(tool: Tool): Promise<string> {
  const found = Object.entries(underway).find(([name]) => existsSync(join(tool.gitDir, name)))
  if (found) throw new RepositoryBlockedError(`the repository is in the middle of ${found[1]}: end it first`)
  const branch = await currentBranch(tool)
  if (branch?.startsWith('refs/heads/')) return branch
  throw new RepositoryBlockedError('HEAD is detached, so there is no branch to commit on: git switch <branch>')
}

export async function currentBranch({ attempt }: Tool): Promise<string | undefined> {
  const { code, stdout } = await attempt(['symbolic-ref', '--quiet', 'HEAD'])
  return code === 0 ? stdout.toString('utf8').trim() : undefined
}

/** With filters off, what would be committed is not what git would make of it. */
export async function refuseFiltered(tool: Tool, changes: readonly Change[], hint: string): Promise<void> {
  const filtered = (
    await filteredAmong(
      tool,
      changes.map(({ path }) => path),
    )
  ).map(textOf)
  if (filtered.length === 0) return
  const some = filtered.slice(0, 10).join(', ') + (filtered.length > 10 ? ', …' : '')
  throw new RepositoryBlockedError(`a filter such as Git LFS stands for ${some}, and filters are not run here: ${hint}`)
}
