import type { Capture } from '../../../ports/capture.ts'
import type { Snapshots } from '../../../ports/snapshots.ts'
import { commitStory, keepStory } from './commit.ts'
import { differenceBetween, readFrom } from './difference.ts'
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
  const open = (signal?: AbortSignal): Promise<Tool> =>
    openTool(folder, { capture, env, deadline: performance.now() + mostMs }, signal)
  return {
    take: async (signal) => {
      signal?.throwIfAborted()
      return takeTree(await open(signal), ownFolders)
    },
    difference: async (from, to) => differenceBetween(await open(), from, to),
    read: async (tree, path) => readFrom(await open(), tree, path),
    restore: async (tree, paths) => restorePaths(await open(), tree, paths.map(bytesOf)),
    keep: async (kept) => keepStory(await open(), kept, env),
    commit: async (kept, author) => commitStory(await open(), kept, { author, env }),
    find: async (key) => findByTrailers(await open(), storyTrailers(key)),
    undo: async (id, options) => undoCommit(await open(), id, { ...options, ownFolders, env }),
  }
}

const bytesOf = (path: string): string => Buffer.from(path, 'utf8').toString('latin1')
