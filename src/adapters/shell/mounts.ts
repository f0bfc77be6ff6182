import { lstatSync, readlinkSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Loose } from './loose.ts'
import { isPlaceholder } from './placeholder.ts'

/** Write permissions of a command. Paths are absolute and need not exist. The deepest path above a file decides. */
export type Confine = {
  /** Ignored if missing. */
  readonly writable: readonly string[]
  /** Read-only. If one is missing, an empty folder is mounted in its place and discarded afterwards. */
  readonly protectedFolders: readonly string[]
  /**
   * Read-only. A missing file stays missing, because a placeholder folder would break its readers. If the command
   * creates it, it is moved aside when the command ends.
   */
  readonly protectedFiles: readonly string[]
  /** Files that a command gets a copy of and may change; its changes are discarded. A missing one stays missing. */
  readonly copiedFiles?: readonly string[] | undefined
  /**
   * A folder that no command can write. Files that were moved aside go there, and records of what has to be restored if
   * this process is killed.
   */
  readonly keep?: string | undefined
}

/** `from` is the source of a copy, which exists only when a command is about to start. */
export type Mount = {
  readonly path: string
  readonly as: 'writable' | 'read-only' | 'stand-in' | 'copy'
  readonly from?: string
}

export type Plan = { readonly mounts: readonly Mount[]; readonly loose: readonly Loose[] }

/** Returns the mounts, in order, that turn a read-only root into what `confine` allows. Reads the disk only. */
export function planMounts(confine: Confine): Plan {
  const follow = createFollower()
  const writable = followWritable(confine.writable, follow)
  const rules: Rules = new Map(writable.map((path) => [path, 'writable']))
  const loose: Loose[] = []
  const isOpen = (path: string) => writable.some((folder) => holds(folder, path))

  function protect(path: string, whenMissing: 'stand-in' | 'loose', as: 'read-only' | 'copy' = 'read-only'): void {
    const { real, exists, links, below } = follow(path)
    loose.push(...links.filter((link) => isOpen(link.path)).map((link) => ({ ...link, below: [] })))
    if (real === null || (as !== 'copy' && !isOpen(real))) return
    if (exists) rules.set(real, as === 'copy' && !statSync(real).isFile() ? 'read-only' : as)
    else if (whenMissing === 'stand-in') rules.set(real, 'stand-in')
    else if (isOpen(real)) loose.push({ path: real, below, target: null })
  }
  for (const path of confine.copiedFiles ?? []) protect(path, 'loose', 'copy')
  for (const path of confine.protectedFiles) protect(path, 'loose')
  for (const path of confine.protectedFolders) protect(path, 'stand-in')

  const needed = withoutRedundant(rules)
  const held = loose.filter(({ path }) => ruleAt(needed, path) === 'writable')
  const mounts = withPins(needed, [...needed.keys(), ...held.map(({ path }) => path)])
  return { mounts: [...mounts].map(([path, as]) => ({ path, as })).sort(shorterFirst), loose: unique(held) }
}

type Rules = Map<string, Mount['as']>

/** Does not follow a symlink inside a writable folder: the command itself could have created it. */
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

/** Drops rules that repeat the rule of the folder above, because every mount slows down every start. */
function withoutRedundant(rules: Rules): Rules {
  const isRedundant = (path: string, as: Mount['as']) =>
    as !== 'copy' && isWritable(as) === isWritable(ruleAt(rules, dirname(path)))
  return new Map([...rules].filter(([path, as]) => !isRedundant(path, as)))
}

function isWritable(as: Mount['as'] | null): boolean {
  return as === 'writable'
}

/**
 * Mounts each writable folder above a protected path on itself. A mount point cannot be renamed, so the command cannot
 * move such a folder away and put another in its place.
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

/** Returns the path's own rule or that of the nearest folder above. */
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
  return [...new Map(loose.map((one) => [join(one.path, ...one.below), one])).values()]
}

type Link = { readonly path: string; readonly target: string }

/**
 * A resolved path. If `exists` is false, `real` is the first missing part, or null if it cannot be determined, and
 * `below` the names after it.
 */
type Followed = {
  readonly real: string | null
  readonly exists: boolean
  readonly links: readonly Link[]
  readonly below: readonly string[]
}

/** Resolves paths like the kernel, one part at a time, but records every symlink. Reads each part only once. */
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
      if (part.is === 'missing') return { real: next, exists: false, links, below: parts }
      if (part.is === 'link') links.push({ path: next, target: part.target })
      if (part.is === 'hidden' || links.length > maxLinks) return { real: null, exists: false, links, below: [] }
      if (part.is === 'link') {
        if (part.target.startsWith('/')) here = '/'
        parts.unshift(...splitPath(part.target))
        continue
      }
      here = next
      // A file where a folder was expected: nothing can exist below it, so the file itself counts.
      if (part.is === 'file') break
    }
    return { real: here, exists: true, links, below: [] }
  }
  return follow
}

type Part = { readonly is: 'folder' | 'file' | 'missing' | 'hidden' } | { readonly is: 'link'; readonly target: string }

/** The kernel's own limit. */
const maxLinks = 40

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
