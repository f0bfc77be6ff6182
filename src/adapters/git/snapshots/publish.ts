import { join } from 'node:path'
import { currentBranch } from './branch.ts'
import { changeIndex } from './place-index.ts'
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

/** `moved`: somebody else has committed or switched branches in between. Ask again. */
type Published = { readonly commit: string | null } | 'moved'

/**
 * One commit with these changes alone on top of the branch, and the user's index along with it. The index comes
 * first: killed in between, the changes are staged and the next call commits them, and a commit that somebody makes
 * in that moment has them too, instead of taking them back.
 */
export async function publish(tool: Tool, publication: Publication): Promise<Published> {
  const { branch, changes, message, env } = publication
  const parent = await commitAt(tool, branch)
  return inWorkshop(tool.gitDir, async (workshop) => {
    const tree = await treeWith(tool, join(workshop, 'index'), parent, changes)
    if (parent === undefined ? changes.length === 0 : tree === (await treeOf(tool, parent))) return { commit: null }
    const commit = await makeCommit(tool, { tree, parent, message, env })
    if ((await currentBranch(tool)) !== branch) return 'moved'
    await changeIndex(tool, workshop, changes)
    const why = `commit: ${message.toString('utf8').split('\n', 1)[0]}`
    return (await moveRef(tool, { ref: branch, to: commit, from: parent, why, env })) ? { commit } : 'moved'
  })
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
