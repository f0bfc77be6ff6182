import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, readProcess } from './processes.ts'

/**
 * Creates an empty folder in place of a missing protected one, because a mount needs a mount point, and returns how to
 * release it. Creates only folders, which git ignores, and removes only empty ones, so nothing can be lost. Each process
 * has its own claim; the last to release removes the placeholder. Creating it takes as long as starting a command, so it
 * stays until no command has used it for `idleMs`.
 */
export function holdPlaceholder(path: string): () => void {
  const held = holds.get(path) ?? { users: 0, idle: undefined }
  makeClaim(path)
  clearTimeout(held.idle)
  held.users += 1
  if (holds.size === 0) process.on('exit', dropAll)
  holds.set(path, held)
  return () => {
    held.users -= 1
    if (held.users === 0) held.idle = setTimeout(() => drop(path), idleMs).unref()
  }
}

/** False for a folder with anything besides the mark: a command may have created the mark itself. */
export function isPlaceholder(path: string): boolean {
  return existsSync(join(path, mark)) && readdirSync(path).length === 1
}

type Hold = { users: number; idle: NodeJS.Timeout | undefined }

const holds = new Map<string, Hold>()
const mark = '.pawl-stand-in'
const idleMs = 300
const maxTries = 20

function claimPath(path: string): string {
  return join(path, mark, ourClaim)
}

const ourClaim = `${process.pid}-${readProcess(process.pid)?.startTime}`

function makeClaim(path: string): void {
  for (let tries = 1; !existsSync(claimPath(path)); tries += 1) {
    try {
      mkdirSync(claimPath(path), { recursive: true })
      dropStale(join(path, mark))
    } catch (error) {
      // Another process may be removing the same placeholder right now.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === maxTries) throw error
    }
  }
}

/** Removes the claims of processes that died before they could release them. */
function dropStale(folder: string): void {
  for (const name of listNames(folder)) {
    const [pid, startTime] = name.split('-')
    const owner = readProcess(Number(pid))
    const alive = owner !== null && owner.startTime === startTime && isAlive(owner)
    if (!alive) removeEmpty(join(folder, name))
  }
}

/** Another process may have removed the folder. */
function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function dropAll(): void {
  for (const path of holds.keys()) drop(path)
}

function drop(path: string): void {
  holds.delete(path)
  if (holds.size === 0) process.off('exit', dropAll)
  if (!removeEmpty(claimPath(path))) return
  dropStale(join(path, mark))
  if (removeEmpty(join(path, mark))) removeEmpty(path)
}

function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}
