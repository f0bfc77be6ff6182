import { setTimeout as pause } from 'node:timers/promises'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import type { Tool } from './tool.ts'
import { checkedId, idIn } from './trees.ts'

const mostTries = 3

const ifStale = ' If no git is running, remove the lock that it names, then try again'

export async function commitAt({ attempt }: Tool, ref: string): Promise<string | undefined> {
  const { code, stdout } = await attempt(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
  return code === 0 ? idIn(stdout) : undefined
}

export const treeOf = async ({ run }: Tool, commit: string): Promise<string> =>
  idIn(await run(['rev-parse', '--verify', '--end-of-options', `${checkedId(commit)}^{tree}`]))

export const makeCommit = async (
  { run }: Tool,
  {
    tree,
    parent,
    message,
    env,
  }: { tree: string; parent: string | undefined; message: Buffer; env: Record<string, string> },
): Promise<string> => {
  const parents = parent === undefined ? [] : ['-p', parent]
  return idIn(await run(['commit-tree', '--no-gpg-sign', ...parents, '-F', '-', tree], { input: message, env }))
}

/** Moves a ref from where it was. False where it is somewhere else by now. A lock is waited for, then told. */
export async function moveRef(
  tool: Tool,
  {
    ref,
    to,
    from,
    why,
    env,
  }: { ref: string; to: string; from: string | undefined; why: string; env: Record<string, string> },
): Promise<boolean> {
  const args = ['update-ref', '--no-deref', '-m', why, ref, to, from ?? '0'.repeat(to.length)]
  for (let tries = 1; ; tries++) {
    const { code, says } = await tool.attempt(args, { env })
    if (code === 0) return true
    if ((await commitAt(tool, ref)) !== from) return false
    if (tries === mostTries) throw new RepositoryBlockedError(`${ref} cannot be moved: ${says}${ifStale}`)
    await pause(20 + Math.random() * 80)
  }
}
