import { lstatSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import type { Disk } from './disk.ts'

/** Returns the same disk, which says whose a file is if this user may not use it. */
export function explainDenials(disk: Disk): Disk {
  const explained = Object.entries(disk).map(([name, call]) => [name, typeof call === 'function' ? guard(call) : call])
  return Object.fromEntries(explained) as Disk
}

type AnyCall = (...args: unknown[]) => unknown

function guard(call: unknown): AnyCall {
  return (...args) => {
    try {
      return (call as AnyCall)(...args)
    } catch (error) {
      const { code, path } = error as NodeJS.ErrnoException
      throw path !== undefined && code === 'EACCES' ? denied(path) : error
    }
  }
}

function denied(path: string): PawlError {
  const { owner, place } = findOwner(path)
  const what = `no access to ${place}: it belongs to ${owner}, and you are ${nameUser(process.getuid?.())}`
  return new PawlError(10, what, `Run this as ${owner}, or ask for access to the folder.`, 'no_access')
}

/** Returns the first path on the way to this one that the user may not enter or write, and its owner. */
function findOwner(path: string): { readonly owner: string; readonly place: string } {
  try {
    const { uid } = lstatSync(path)
    return { owner: nameUser(uid), place: path }
  } catch {
    return dirname(path) === path ? { owner: 'another user', place: path } : findOwner(dirname(path))
  }
}

function nameUser(uid: number | undefined): string {
  if (uid === undefined) return 'another user'
  try {
    if (uid === process.getuid?.()) return userInfo().username
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((entry) => entry.split(':')[2] === String(uid))
    return line?.split(':')[0] ?? `user ${uid}`
  } catch {
    return `user ${uid}`
  }
}
