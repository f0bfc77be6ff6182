import type { Capture } from '../../../ports/capture.ts'
import type { Snapshots } from '../../../ports/snapshots.ts'
import { commitStory, keepStory } from './commit.ts'
import { differenceBetween, readFrom } from './difference.ts'
import { orNotSaved } from './disk-fault.ts'
import { findByTrailers } from './find.ts'
import { storyTrailers } from './message.ts'
import { restorePaths } from './restore.ts'
import { takeTree } from './take.ts'
import { openTool, type Tool } from './tool.ts'
import { undoCommit } from './undo.ts'

export type SnapshotsOptions = {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly capture: Capture
  /** Absolute paths. Those inside the work tree are never taken; the folders of runs never are anyway. */
  readonly ownFolders?: readonly string[]
}

const mostMs = 120_000

/** The repository that a folder lies in. Each effect asks git anew: the repository may have changed in between. */
export function createSnapshots({ folder, env, capture, ownFolders = [] }: SnapshotsOptions): Snapshots {
  const inside = <T>(effect: (tool: Tool) => Promise<T>, signal?: AbortSignal): Promise<T> =>
    orNotSaved(async () =>
      effect(await openTool(folder, { capture, env, deadline: performance.now() + mostMs }, signal)),
    )
  return {
    take: async (signal) => {
      signal?.throwIfAborted()
      return inside((tool) => takeTree(tool, ownFolders), signal)
    },
    difference: (from, to) => inside((tool) => differenceBetween(tool, from, to)),
    read: (tree, path) => inside((tool) => readFrom(tool, tree, path)),
    restore: (tree, paths) => inside((tool) => restorePaths(tool, tree, paths.map(bytesOf))),
    keep: (kept) => inside((tool) => keepStory(tool, kept, env)),
    commit: (kept, author) => inside((tool) => commitStory(tool, kept, { author, env })),
    find: (key) => inside((tool) => findByTrailers(tool, storyTrailers(key))),
    undo: (id, options) => inside((tool) => undoCommit(tool, id, { ...options, ownFolders, env })),
  }
}

const bytesOf = (path: string): string => Buffer.from(path, 'utf8').toString('latin1')
