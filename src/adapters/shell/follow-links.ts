import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isStandIn } from './stand-in.ts'

export type Link = { readonly path: string; readonly target: string }

/** Where a path leads. `real` is its first missing part when `exists` is false, and null when nobody can tell. */
export type Followed = { readonly real: string | null; readonly exists: boolean; readonly links: readonly Link[] }

/** Walks paths as the system does, one part at a time, but remembers every link. Looks at each part only once. */
export function createFollower(): (path: string) => Followed {
  const seen = new Map<string, Part>()

  function follow(path: string): Followed {
    const links: Link[] = []
    const parts = partsOf(path)
    let here = '/'
    for (let name = parts.shift(); name !== undefined; name = parts.shift()) {
      const next = name === '..' ? dirname(here) : join(here, name)
      const part = seen.get(next) ?? look(next)
      seen.set(next, part)
      if (part.is === 'missing') return { real: next, exists: false, links }
      if (part.is === 'link') links.push({ path: next, target: part.target })
      if (part.is === 'hidden' || links.length > mostLinks) return { real: null, exists: false, links }
      if (part.is === 'link') {
        if (part.target.startsWith('/')) here = '/'
        parts.unshift(...partsOf(part.target))
        continue
      }
      here = next
      // A file in a folder's place: nothing can lie below it, so it is the file that counts.
      if (part.is === 'file') break
    }
    return { real: here, exists: true, links }
  }
  return follow
}

type Part = { readonly is: 'folder' | 'file' | 'missing' | 'hidden' } | { readonly is: 'link'; readonly target: string }

/** The system's own bound. */
const mostLinks = 40

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.')
}

function look(path: string): Part {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found) return { is: 'missing' }
    if (found.isSymbolicLink()) return { is: 'link', target: readlinkSync(path) }
    if (!found.isDirectory()) return { is: 'file' }
    return { is: isStandIn(path) ? 'missing' : 'folder' }
  } catch {
    return { is: 'hidden' }
  }
}
