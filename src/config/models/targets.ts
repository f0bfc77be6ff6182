import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  type Stats,
  unlinkSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { PawlError } from '../../contract/exit.ts'
import { escapesRepository } from '../input/named-file.ts'

type Wanted = { readonly out?: string | undefined; readonly write: boolean; readonly file?: string | undefined }

/** Where the result goes, refused before anything is spent. The path of `--out`, where it was given. */
export function checkTargets({ out, write, file }: Wanted, folder: string): string | undefined {
  if (out !== undefined && write) throw new PawlError(2, '--out and --write are two ways: give one of them')
  if (write && file === undefined) {
    throw new PawlError(2, '--write writes a file back, and none was named', 'For a text that has no file: --out FILE')
  }
  if (write && file !== undefined) checkWritable(file, file)
  if (out === undefined) return undefined
  const path = resolve(folder, out)
  checkFree(path, out)
  const outside = escapesRepository(dirname(path), folder)
  if (outside !== undefined) {
    const hint = `If you mean that folder: --out ${join(outside, basename(path))}`
    throw new PawlError(30, `--out ${out} lies behind a link that leads out of here`, hint)
  }
  checkWritable(undefined, path)
  return path
}

function checkFree(path: string, shown: string): void {
  const found = look(path, shown)
  if (!found) return
  if (found.isDirectory())
    throw new PawlError(30, `--out ${shown} is a folder`, 'Name a file in it that is not there yet.')
  const hint = 'Name another, or remove it first. To write back the file that is refined: --write'
  throw new PawlError(30, `--out ${shown} is there already, and is never written over`, hint)
}

function look(path: string, shown: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'ENOTDIR') throw new PawlError(30, `--out ${shown}: a part of its path is no folder`)
    throw new PawlError(30, `--out ${shown} cannot be looked at: ${message}`)
  }
}

/** A file is replaced as a whole, so its folder has to take a new one; one that is read-only is meant to stay. */
function checkWritable(file: string | undefined, path: string): void {
  const folder = dirname(path)
  try {
    if (file !== undefined) accessSync(file, constants.W_OK)
    // Rights alone do not tell: a disk may be full or read-only, and some folders take nothing from anybody.
    clearProbes(folder)
    const probe = join(folder, `${probeBegins}${process.pid}`)
    closeSync(openSync(probe, 'wx', 0o600))
    unlinkSync(probe)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!existsSync(folder))
      throw new PawlError(30, `there is no folder ${folder}`, `Make it first: mkdir -p ${folder}`)
    throw new PawlError(30, `${path} cannot be written (${code})`, 'Name another place: --out FILE')
  }
}

const probeBegins = '.pawl-probe-'

/** What starts that were killed right there have left behind: empty files with the number of a process that is gone. */
function clearProbes(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(probeBegins) ? Number(name.slice(probeBegins.length)) : Number.NaN
    if (!Number.isSafeInteger(pid) || pid < 1 || isAnother(pid)) continue
    const path = join(folder, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isFile() && found.size === 0) rmSync(path, { force: true })
  }
}

function isAnother(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
