import type { VerifiedTree } from '../../../ports/snapshots.ts'
import { findByTrailers, storyTrailers } from './commits.ts'
import type { Tool } from './tool.ts'
import { changesBetween, isSameEntry, listEntries, resolveIds } from './trees.ts'

type Story = Pick<VerifiedTree, 'key' | 'from' | 'to'>

/**
 * Returns the keys of the stories, given in their order, that the branch no longer contains. A story is there if its files
 * are as it or a later story left them, which survives a squash or a rebase; or else if its commit is in the history and was
 * not reverted, since later work by hand may have changed the same files.
 */
export async function findLost(tool: Tool, stories: readonly Story[]): Promise<string[]> {
  const [head] = await resolveIds(tool, ['HEAD^{tree}'])
  const files = head === undefined ? new Map() : await listEntries(tool, head)
  // Paths that are in HEAD as a later story left them.
  const asLeft = new Set<string>()
  const lost: string[] = []
  for (const { key, from, to } of stories.toReversed()) {
    const changes = await changesBetween(tool, from, to).catch(() => undefined)
    for (const { path, is } of changes ?? []) if (isSameEntry(files.get(path), is)) asLeft.add(path)
    if (changes?.every(({ path }) => asLeft.has(path))) continue
    const commit = await findByTrailers(tool, storyTrailers(key))
    if (commit === undefined || (await isReverted(tool, commit))) lost.unshift(key)
  }
  return lost
}

const maxCommits = 5000

/** Tells whether a later commit takes this one back, with the words of `git revert` or of an undo. */
async function isReverted({ run }: Tool, commit: string): Promise<boolean> {
  const range = [`--max-count=${maxCommits}`, 'HEAD', `^${commit}`, '--']
  const messages = (
    await run(['log', '-z', '--no-show-signature', '--no-color', '--format=%H%n%B', ...range])
  ).toString()
  const reverted = new Set<string>()
  // The newest comes first, so a revert that was itself reverted does not count.
  for (const message of messages.split('\0')) {
    const [id = ''] = message.split('\n', 1)
    if (reverted.has(id)) continue
    for (const [, what = ''] of message.matchAll(/^This (?:reverts commit|takes back) ([0-9a-f]{40,64})\b/gm)) {
      reverted.add(what)
    }
  }
  return reverted.has(commit)
}
