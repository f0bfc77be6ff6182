import { randomBytes } from 'node:crypto'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isAlive, readProcess } from './processes.ts'

/**
 * A path that no mount can protect: a symlink with its `target`, or with `target` null something that must stay missing:
 * the path itself, or if `below` has names, what they lead to from there.
 */
export type Loose = { readonly path: string; readonly below: readonly string[]; readonly target: string | null }

/**
 * Restores such paths after a command and returns a notice for each. The other version is kept in `keep`, outside the
 * workspace, because the user may have created it meanwhile. Nothing runs in the sandbox any more.
 */
export function restoreLoose(loose: readonly Loose[], keep: string | undefined): string[] {
  return loose.flatMap((one) => {
    const { path, target } = one
    try {
      const wrong = target === null ? findForbidden(one) : readLink(path) === target ? null : path
      if (wrong === null) return []
      const aside = exists(wrong) ? moveAside(wrong, keep) : null
      if (target !== null) symlinkSync(target, path)
      return [`${wrong} is protected and was restored${aside ? `; the other version is now ${aside}` : ''}`]
    } catch (error) {
      return [`${path} is protected and was changed, but cannot be restored: ${(error as Error).message}`]
    }
  })
}

/** Returns what has to go. Anything but a folder on the way counts. A symlink is not followed: it may lead anywhere. */
function findForbidden({ path, below }: Loose): string | null {
  let at = path
  for (const name of below) {
    const found = lstatSync(at, { throwIfNoEntry: false })
    if (!found) return null
    if (!found.isDirectory()) return at
    at = join(at, name)
  }
  return exists(at) ? at : null
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** Undefined if there is no symlink. */
function readLink(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined
}

function moveAside(path: string, keep = dirname(path)): string {
  mkdirSync(keep, { recursive: true, mode: 0o700 })
  const aside = join(keep, `${basename(path)}.refused-${randomBytes(3).toString('hex')}`)
  try {
    renameSync(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    cpSync(path, aside, { recursive: true, verbatimSymlinks: true })
    rmSync(path, { recursive: true })
  }
  return aside
}

/**
 * Writes down what has to be restored, in case this process is killed before it can. Returns how to remove the record.
 * Ignores errors: the record is needed only after a crash.
 */
export function recordLoose(loose: readonly Loose[], keep: string | undefined): () => void {
  if (keep === undefined || loose.length === 0) return () => {}
  const { pid } = process
  const path = join(keep, `${pid}-${readProcess(pid)?.startTime}-${randomBytes(6).toString('hex')}.json`)
  ignoreErrors(() => {
    mkdirSync(keep, { recursive: true, mode: 0o700 })
    writeFileSync(path, JSON.stringify(loose), { mode: 0o600 })
  })
  return () => ignoreErrors(() => unlinkSync(path))
}

const recordName = /^(\d+)-(\d+)-[0-9a-f]+\.json$/

/** Restores what killed processes could not, and returns the notices. */
export function restoreLeft(keep: string | undefined): string[] {
  const notices: string[] = []
  if (keep === undefined || !exists(keep)) return notices
  for (const name of readdirSync(keep)) {
    const [, pid, startTime] = recordName.exec(name) ?? []
    if (pid === undefined) continue
    const owner = readProcess(Number(pid))
    if (owner !== null && owner.startTime === startTime && isAlive(owner)) continue
    ignoreErrors(() => {
      const loose = JSON.parse(readFileSync(join(keep, name), 'utf8')) as Loose[]
      // Only the process that removes the record restores the files.
      unlinkSync(join(keep, name))
      notices.push(...restoreLoose(loose, keep))
    })
  }
  return notices
}

function ignoreErrors(action: () => void): void {
  try {
    action()
  } catch {}
}
