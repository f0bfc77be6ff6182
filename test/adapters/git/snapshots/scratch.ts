import * as fs from 'node:fs'
import { findByTrailers, storyTrailers } from '../../../../src/adapters/git/snapshots/commits.ts'
import { createPathCommits } from '../../../../src/adapters/git/snapshots/path-commits.ts'
import { createSnapshots } from '../../../../src/adapters/git/snapshots/snapshots.ts'
import { openTool } from '../../../../src/adapters/git/snapshots/tool.ts'
import { capture } from '../../../../src/adapters/shell/capture.ts'
import type { Capture } from '../../../../src/ports/capture.ts'
import type { PathCommit, PathCommits } from '../../../../src/ports/path-commits.ts'
import type { Snapshots, VerifiedTree } from '../../../../src/ports/snapshots.ts'
import { newFolder } from '../scratch.ts'

/** A repository of one commit whose user git knows, and snapshots of it. */
export function newRepository({ git: asRepository = true, identity = true, format = 'sha1' } = {}) {
  const scratch = newFolder({ git: asRepository, format })
  const { folder, env, git, at } = scratch
  if (identity && asRepository) {
    git('config', 'user.name', 'Ada')
    git('config', 'user.email', 'ada@example.com')
  }
  const open = (at = folder, more: { env?: NodeJS.ProcessEnv; ownFolders?: string[] } = {}): Snapshots =>
    createSnapshots({ folder: at, env, capture, ...more })
  const snapshots = open()
  const openPaths = (at = folder, more: { env?: NodeJS.ProcessEnv; capture?: Capture } = {}): PathCommits =>
    createPathCommits({ folder: at, env, capture, ...more })
  const storyOf = async (work: () => void, key = 'run-1/S1'): Promise<VerifiedTree> => {
    const from = await snapshots.take()
    work()
    return { key, from, to: await snapshots.take(), subject: `feat: ${key}`, body: 'It works.' }
  }
  /** The commit of a story on the branch, by its trailers. */
  const find = async (key: string): Promise<string | undefined> =>
    findByTrailers(await openTool(folder, { capture, env, deadline: performance.now() + 60_000 }), storyTrailers(key))
  /** Short status, one line a file. */
  const status = (): string[] => git('status', '--porcelain', '--branch', '-uall').split('\n').slice(1)
  const files = (tree: string): string[] =>
    git('-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', tree).split('\n')
  const leftovers = (): string[] => fs.readdirSync(at('.git')).filter((name) => /^pawl-|lock/.test(name))
  return { ...scratch, open, openPaths, snapshots, storyOf, find, status, files, leftovers }
}

/** A commit of these texts; null deletes. */
export const commitOf = (files: Readonly<Record<string, string | null>>, step = '1'): PathCommit => ({
  changes: Object.entries(files).map(([path, text]) => ({ path, content: text === null ? null : Buffer.from(text) })),
  subject: `docs: step ${step}`,
  trailers: { 'Pawl-Writing': 'notes', 'Pawl-Step': step },
})
