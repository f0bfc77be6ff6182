import { type CommandTools, type FailedCommand, runUntilFailure } from '../../../judging/commands.ts'
import { sha256 } from '../../../judging/sha256.ts'
import type { Layer, Room } from '../../../ports/room.ts'
import type { Snapshots, Tree } from '../../../ports/snapshots.ts'
import type { Verification } from '../contract/input.ts'
import { isManifest, mergeParts, pickDependencies } from '../core/evidence/parts.ts'
import type { DeliveryTools } from './tools.ts'

type Installed = { readonly layer?: Layer | undefined } | { readonly failed: FailedCommand }

type InstallerTools = Pick<DeliveryTools, 'snapshots' | 'roomShell'> & { readonly room: Room }

/**
 * Installs dependencies in the room if a tree has others than the start, or if the start has none. The scripts of the start run, never those of
 * the story.
 */
export function createInstaller(
  { setup = [] }: Pick<Verification, 'setup'>,
  { snapshots, roomShell, room }: InstallerTools,
) {
  const fingerprints = new Map<Tree, Promise<string>>()
  const fingerprint = (tree: Tree): Promise<string> => {
    const known = fingerprints.get(tree) ?? fingerprintDependencies(snapshots, tree)
    fingerprints.set(tree, known)
    return known
  }

  return async (tree: Tree, toolsFor: (name: string) => CommandTools, signal: AbortSignal): Promise<Installed> => {
    if (setup.length === 0) return {}
    const key = await fingerprint(tree)
    const folder = installFolders.find(([programs]) => setup.some((command) => programs.test(command)))?.[1]
    const isThere = folder === undefined || room.had(folder)
    if (isThere && key === (await fingerprint(room.start))) return {}
    const scripts = await withScriptsOf(snapshots, tree, room.start)
    return room.install(`${key}-${sha256(JSON.stringify(setup)).slice(0, 8)}`, scripts, (place) =>
      runUntilFailure(setup, { ...toolsFor('setup'), shell: roomShell, place }, signal),
    )
  }
}

const installFolders = [
  [/\b(?:npm|pnpm|yarn|bun)\b/, 'node_modules'],
  [/\b(?:uv|poetry|pdm)\b|\.venv\//, '.venv'],
  [/\bcomposer\b/, 'vendor'],
] as const

async function fingerprintDependencies(snapshots: Snapshots, tree: Tree): Promise<string> {
  const texts = await snapshots.readAll(tree, (await snapshots.list(tree)).filter(isManifest))
  // git lists paths in order.
  const named = [...texts].map(([path, text]) => [path, pickDependencies(path, text)])
  return sha256(JSON.stringify(named)).slice(0, 24)
}

/** Returns the tree with the scripts and settings that another one has in its manifests. */
async function withScriptsOf(snapshots: Snapshots, tree: Tree, other: Tree): Promise<Tree> {
  const paths = (await snapshots.list(tree)).filter((path) => /(?:^|\/)(?:package|composer)\.json$/.test(path))
  const [own, start] = [await snapshots.readAll(tree, paths), await snapshots.readAll(other, paths)]
  const texts = paths.flatMap((path) => {
    const merged = mergeParts(path, own.get(path), start.get(path))
    return merged === undefined || own.get(path) === undefined || own.get(path) === start.get(path)
      ? []
      : [[path, merged]]
  })
  return snapshots.combine(tree, other, [], Object.fromEntries(texts) as Record<string, string>)
}
