import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { isStandIn } from './stand-in.ts'

export type Link = { readonly path: string; readonly target: string }

/** Where a path leads. `real` is its first missing part when `exists` is false, and null when nobody can tell. */
export type Followed = { readonly real: string | null; readonly exists: boolean; readonly links: readonly Link[] }

/** As the system walks it, one part at a time, but with every link on the way remembered. */
export function followLinks(path: string): Followed {
  const links: Link[] = []
  const parts = partsOf(path)
  let here = '/'
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const next = part === '..' ? dirname(here) : join(here, part)
    const found = look(next)
    if (found === 'hidden') return { real: null, exists: false, links }
    if (found === null) return { real: next, exists: false, links }
    if (found.isSymbolicLink()) {
      const target = readlinkSync(next)
      links.push({ path: next, target })
      if (links.length > mostLinks) return { real: null, exists: false, links }
      if (target.startsWith('/')) here = '/'
      parts.unshift(...partsOf(target))
      continue
    }
    here = next
    // A file in a folder's place: nothing can lie below it, so it is the file that counts.
    if (!found.isDirectory()) break
  }
  return { real: here, exists: true, links }
}

/** The system's own bound. */
const mostLinks = 40

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.')
}

function look(path: string): Stats | 'hidden' | null {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false }) ?? null
    return found?.isDirectory() && isStandIn(path) ? null : found
  } catch {
    return 'hidden'
  }
}
