import { join } from 'node:path'
import { currentBranch } from './branch.ts'
import { makeNextIndex, withIndexLock } from './place-index.ts'
import { commitAt, makeCommit, moveRef, treeOf } from './refs.ts'
import type { Tool } from './tool.ts'
import { type Change, idIn, setInIndex } from './trees.ts'
import { inWorkshop } from './workshop.ts'

export type Publication = {
  readonly branch: string
  readonly changes: readonly Change[]
  readonly message: Buffer
  /** Who has done it. */
  readonly env: Record<string, string>
}

/** `moved`: somebody else was at work in between. Ask again, then with `contended`. */
type Published = { readonly commit: string | null } | 'moved'

/**
 * One commit with these changes alone on top of the branch, and the user's index along with it. The index comes
 * first: killed in between, the changes are staged and the next call commits them, and a commit that somebody makes
 * in that moment has them too, instead of taking them back. Where others are at work all the time, `contended` keeps
 * the index locked for as long as it takes.
 */
export function publish(tool: Tool, publication: Publication, contended: boolean): Promise<Published> {
  return inWorkshop(tool.gitDir, (workshop) => {
    const build = (): Promise<Published> => buildOn(tool, workshop, publication, contended)
    return contended ? withIndexLock(tool.gitDir, workshop, build) : build()
  })
}

async function buildOn(
  tool: Tool,
  workshop: string,
  { branch, changes, message, env }: Publication,
  contended: boolean,
): Promise<Published> {
  const parent = await commitAt(tool, branch)
  const tree = await treeWith(tool, join(workshop, 'index'), parent, changes)
  if (parent === undefined ? changes.length === 0 : tree === (await treeOf(tool, parent))) return { commit: null }
  const commit = await makeCommit(tool, { tree, parent, message, env })
  const next = await makeNextIndex(tool, workshop, changes)
  const isCurrent = (await currentBranch(tool)) === branch && (await commitAt(tool, branch)) === parent
  if (!isCurrent) return 'moved'
  if (contended) next.placeUnderLock()
  else if (!next.place()) return 'moved'
  const why = `commit: ${message.toString('utf8').split('\n', 1)[0]}`
  return (await moveRef(tool, { ref: branch, to: commit, from: parent, why, env })) ? { commit } : 'moved'
}

async function treeWith(tool: Tool, index: string, parent: string | undefined, changes: readonly Change[]) {
  await tool.run(['read-tree', ...(parent === undefined ? ['--empty'] : [parent])], { index })
  await setInIndex(
    tool,
    index,
    changes.map(({ path, is }) => [path, is] as const),
  )
  return idIn(await tool.run(['write-tree'], { index }))
}
