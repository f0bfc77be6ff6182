import * as fs from 'node:fs'
import { join } from 'node:path'
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

/** Also what commands have made read-only, the folder of the mount that nobody may enter, and what another process still fills. */
export function removeAll(path: string): void {
  try {
    fs.rmSync(path, { recursive: true, force: true })
  } catch {
    openUp(path)
    fs.rmSync(path, { recursive: true, force: true, maxRetries: 10 })
  }
}

function openUp(folder: string): void {
  fs.chmodSync(folder, 0o700)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openUp(join(folder, entry.name))
}
