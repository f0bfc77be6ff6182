import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import type { Tree } from '../../ports/snapshots.ts'

/** A finished copy or layer. */
export type Made = {
  readonly tree: Tree
  readonly atMs: number
  readonly left?: readonly string[]
  /** The name of the folder with the copy. */
  readonly start?: string
  /** When the run was left, until it goes on. */
  readonly leftMs?: number
}

export function writeMade(path: string, made: Made): Made {
  fs.writeFileSync(`${path}.new`, JSON.stringify(made))
  fs.renameSync(`${path}.new`, path)
  return made
}

export function readMade(path: string): Made | undefined {
  try {
    const { tree, atMs, ...more } = JSON.parse(fs.readFileSync(path, 'utf8')) as Partial<Made>
    return typeof tree === 'string' && typeof atMs === 'number' ? { ...more, tree, atMs } : undefined
  } catch {
    return undefined
  }
}

export const joinPaths = (paths: readonly string[]): string => paths.map((path) => `${path}\0`).join('')

/** Undefined if nothing is there, or a file is above it. */
export function lookAt(path: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(path)
  } catch {
    return undefined
  }
}

/**
 * Finds the first part of a path that is something else than a folder in the topmost of these folders that has it. What commands or people have put
 * there may be a link, which must not lead anybody out of the room.
 */
export function findInWay(path: string, folders: readonly string[]): string | undefined {
  const above = dirname(path)
  if (above === '.') return undefined
  const higher = findInWay(above, folders)
  if (higher !== undefined) return higher
  const top = folders.map((folder) => lookAt(join(folder, above))).find(Boolean)
  return top === undefined || top.isDirectory() ? undefined : above
}

/** Removes a path in a folder, or what is there in place of a folder above it. */
export const removeIn = (folder: string, path: string): void =>
  removeAll(join(folder, findInWay(path, [folder]) ?? path))

/** Also what commands have made read-only, the folder of the mount that nobody may enter, and what another process still fills. */
export function removeAll(path: string): void {
  try {
    fs.rmSync(path, { recursive: true, force: true })
  } catch {
    openUp(path)
    fs.rmSync(path, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Removes what nobody needs. A container may have left files that only root can remove: they are in nobody's way. */
export function discard(path: string): void {
  try {
    removeAll(path)
  } catch {}
}

function openUp(folder: string): void {
  fs.chmodSync(folder, 0o700)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openUp(join(folder, entry.name))
}
