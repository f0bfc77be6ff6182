import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isPlaceholder } from './placeholder.ts'

/** What a command may write. All paths are absolute and need not exist; of two that hold a file, the deeper counts. */
export type Confine = {
  /** Bound where they exist. */
  readonly writable: readonly string[]
  /** Read-only. Where one is missing, an empty folder stands in for it, and what is written there is gone. */
  readonly protectedFolders: readonly string[]
  /**
   * Read-only. A folder in a file's place would trip whoever reads it, so a missing one is left missing, and what the
   * command has put there is moved aside when it ends.
   */
  readonly protectedFiles: readonly string[]
}

export type Mount = { readonly path: string; readonly as: 'writable' | 'read-only' | 'stand-in' }

/** What no mount can hold: a link, or with `target` null a place that has to stay empty. */
export type Loose = { readonly path: string; readonly target: string | null }

export type Plan = { readonly mounts: readonly Mount[]; readonly loose: readonly Loose[] }

/** Which mounts, in which order, make of a read-only world what `confine` says. Looks at the disk, changes nothing. */
export function planMounts(confine: Confine): Plan {
  const follow = createFollower()
  const writable = followWritable(confine.writable, follow)
  const rules: Rules = new Map(writable.map((path) => [path, 'writable']))
  const loose: Loose[] = []
  const isOpen = (path: string) => writable.some((folder) => holds(folder, path))

  function protect(path: string, whenMissing: 'stand-in' | 'loose'): void {
    const { real, exists, links } = follow(path)
    loose.push(...links.filter((link) => isOpen(link.path)))
    if (real === null || !isOpen(real)) return
    if (exists) rules.set(real, 'read-only')
    else if (whenMissing === 'stand-in') rules.set(real, 'stand-in')
    else loose.push({ path: real, target: null })
  }
  for (const path of confine.protectedFiles) protect(path, 'loose')
  for (const path of confine.protectedFolders) protect(path, 'stand-in')

  const needed = withoutIdle(rules)
  const held = loose.filter(({ path }) => ruleAt(needed, path) === 'writable')
  const mounts = withPins(needed, [...needed.keys(), ...held.map(({ path }) => path)])
  return { mounts: [...mounts].map(([path, as]) => ({ path, as })).sort(shorterFirst), loose: unique(held) }
}

type Rules = Map<string, Mount['as']>

/** A link that lies where the command may write is not followed: the command itself could have put it there. */
function followWritable(paths: readonly string[], follow: (path: string) => Followed): string[] {
  const writable: string[] = []
  for (const path of [...paths].sort((a, b) => a.length - b.length)) {
    const { real, exists, links } = follow(path)
    const planted = (link: Link) => writable.some((folder) => holds(folder, link.path))
    if (real === '/') throw new Error('cannot confine writes when all of / is writable')
    if (real !== null && exists && !links.some(planted)) writable.push(real)
  }
  return writable
}

/** A rule that says what the one above it says needs no mount. Each costs time at every start. */
function withoutIdle(rules: Rules): Rules {
  const isIdle = (path: string, as: Mount['as']) => isWritable(as) === isWritable(ruleAt(rules, dirname(path)))
  return new Map([...rules].filter(([path, as]) => !isIdle(path, as)))
}

function isWritable(as: Mount['as'] | null): boolean {
  return as === 'writable'
}

/**
 * The folder above a protected path could be moved away, and another one put in its place. What a mount lies on cannot
 * be moved, so each writable folder above is mounted on itself.
 */
function withPins(rules: Rules, paths: readonly string[]): Rules {
  const pinned = new Map(rules)
  for (const path of paths) {
    for (let folder = dirname(path); isWritable(ruleAt(rules, folder)); folder = dirname(folder)) {
      if (!pinned.has(folder)) pinned.set(folder, 'writable')
    }
  }
  return pinned
}

/** What holds at a path: its own rule, or that of the nearest folder above. */
function ruleAt(rules: Rules, path: string): Mount['as'] | null {
  for (let at = path; ; at = dirname(at)) {
    const as = rules.get(at)
    if (as !== undefined) return as
    if (at === '/') return null
  }
}

function holds(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

function shorterFirst(a: Mount, b: Mount): number {
  return a.path.length - b.path.length
}

function unique(loose: readonly Loose[]): Loose[] {
  return [...new Map(loose.map((one) => [one.path, one])).values()]
}

type Link = { readonly path: string; readonly target: string }

/** Where a path leads. `real` is its first missing part when `exists` is false, and null when nobody can tell. */
type Followed = { readonly real: string | null; readonly exists: boolean; readonly links: readonly Link[] }

/** Walks paths as the system does, one part at a time, but remembers every link. Looks at each part only once. */
function createFollower(): (path: string) => Followed {
  const seen = new Map<string, Part>()

  function follow(path: string): Followed {
    const links: Link[] = []
    const parts = splitPath(path)
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
        parts.unshift(...splitPath(part.target))
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

function splitPath(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.')
}

function look(path: string): Part {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found) return { is: 'missing' }
    if (found.isSymbolicLink()) return { is: 'link', target: readlinkSync(path) }
    if (!found.isDirectory()) return { is: 'file' }
    return { is: isPlaceholder(path) ? 'missing' : 'folder' }
  } catch {
    return { is: 'hidden' }
  }
}
