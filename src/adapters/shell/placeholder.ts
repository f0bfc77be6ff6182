import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, readProcess } from './processes.ts'

/**
 * A mount needs something to lie on. Where a protected folder is missing, an empty one stands in for it while commands
 * run. Only folders are made, which git does not see, and only empty ones removed, so nothing can be lost. Each process
 * holds a claim of its own: the last one to let go takes the stand-in away. Making folders takes as long as starting a
 * command, so it stays until there has been no command for a moment.
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

/** One that holds anything besides is a folder like others: a command may have put the mark there. */
export function isPlaceholder(path: string): boolean {
  return existsSync(join(path, mark)) && readdirSync(path).length === 1
}

type Hold = { users: number; idle: NodeJS.Timeout | undefined }

const holds = new Map<string, Hold>()
const mark = '.pawl-stand-in'
const idleMs = 300
const mostTries = 20

function readClaim(path: string): string {
  return join(path, mark, ourClaim)
}

const ourClaim = `${process.pid}-${readProcess(process.pid)?.startTime}`

function makeClaim(path: string): void {
  for (let tries = 1; !existsSync(readClaim(path)); tries += 1) {
    try {
      mkdirSync(readClaim(path), { recursive: true })
      dropStale(join(path, mark))
    } catch (error) {
      // Another process may be taking the same stand-in away at this moment.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === mostTries) throw error
    }
  }
}

/** Claims of processes that were killed before they could let go. */
function dropStale(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [pid, startTime] = name.split('-')
    const owner = readProcess(Number(pid))
    const alive = owner !== null && owner.startTime === startTime && isAlive(owner)
    if (!alive) removeEmpty(join(folder, name))
  }
}

function dropAll(): void {
  for (const path of holds.keys()) drop(path)
}

function drop(path: string): void {
  holds.delete(path)
  if (holds.size === 0) process.off('exit', dropAll)
  for (const folder of [readClaim(path), join(path, mark), path]) if (!removeEmpty(folder)) return
}

function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}
