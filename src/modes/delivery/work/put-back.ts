import type { Tree } from '../../../ports/snapshots.ts'
import type { Story } from '../contract/plan.ts'
import { tamperingOf } from './tampered.ts'
import type { DeliveryTools } from './tools.ts'

export type PutBack = {
  /** How it was before the story. */
  readonly base: Tree
  readonly story: Story
  readonly tools: Pick<DeliveryTools, 'snapshots' | 'watch'>
}

const mostRounds = 20

/**
 * What decides verification, as it was before the story. Looked for anew until nothing is found: of an attempt only as
 * much is told as fits an event, and a test that was moved is two files. Only what git sees can be put back: a runner
 * in an ignored folder is named, and left to a person.
 */
export async function putBack({ base, story, tools }: PutBack): Promise<void> {
  const { snapshots } = tools
  const watched = await tools.watch(story.verification)
  for (let round = 0; round < mostRounds; round++) {
    const tree = await snapshots.take()
    const found = await tamperingOf({ base, tree, watched, story, tools })
    const touched = new Set(found.flatMap(({ path, expected }) => (expected ? [] : [path])))
    if (touched.size === 0) return
    const { files } = await snapshots.difference(base, tree)
    await snapshots.restore(
      base,
      files.flatMap(({ path }) => (touched.has(path) ? [path] : [])),
    )
  }
}
