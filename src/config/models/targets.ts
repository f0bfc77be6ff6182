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
import { findSymlinkEscape } from '../input/named-file.ts'

type Wanted = { readonly out?: string | undefined; readonly write: boolean; readonly file?: string | undefined }

/** Throws if the result cannot be written, before any tokens are spent. Returns the path of `--out`, if given. */
export function checkOutputTarget({ out, write, file }: Wanted, folder: string): string | undefined {
  if (out !== undefined && write) throw new PawlError(2, 'give --out or --write, not both')
  if (write && file === undefined) {
    throw new PawlError(
      2,
      '--write needs a file to write back, and none was given',
      'For a text without a file: --out FILE',
    )
  }
  if (write && file !== undefined) checkWritable(file, file)
  if (out === undefined) return undefined
  const path = resolve(folder, out)
  checkFree(path, out)
  const outside = findSymlinkEscape(dirname(path), folder)
  if (outside !== undefined) {
    const hint = `To write there: --out ${join(outside, basename(path))}`
    throw new PawlError(30, `--out ${out} leads through a symlink out of the repository`, hint)
  }
  checkWritable(undefined, path)
  return path
}

function checkFree(path: string, shown: string): void {
  const found = findStats(path, shown)
  if (!found) return
  if (found.isDirectory()) throw new PawlError(30, `--out ${shown} is a folder`, 'Name a new file in it.')
  const hint = 'Choose another file, or remove it first. To write back the file being refined: --write'
  throw new PawlError(30, `--out ${shown} already exists and will not be overwritten`, hint)
}

function findStats(path: string, shown: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'ENOTDIR') throw new PawlError(30, `--out ${shown}: part of the path is not a folder`)
    throw new PawlError(30, `cannot read --out ${shown}: ${message}`)
  }
}

/** Writing replaces the file atomically, so its folder must be writable. Refuses a read-only file. */
function checkWritable(file: string | undefined, path: string): void {
  const folder = dirname(path)
  try {
    if (file !== undefined) accessSync(file, constants.W_OK)
    // Permissions are not enough: the disk may be full or read-only.
    clearProbes(folder)
    const probe = join(folder, `${probePrefix}${process.pid}`)
    closeSync(openSync(probe, 'wx', 0o600))
    unlinkSync(probe)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!existsSync(folder))
      throw new PawlError(30, `there is no folder ${folder}`, `Create it first: mkdir -p ${folder}`)
    throw new PawlError(30, `cannot write ${path} (${code})`, 'Choose another place: --out FILE')
  }
}

const probePrefix = '.pawl-probe-'

/** Removes probes left by killed processes: empty files named after a pid that no longer exists. */
function clearProbes(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(probePrefix) ? Number(name.slice(probePrefix.length)) : Number.NaN
    if (!Number.isSafeInteger(pid) || pid < 1 || isOtherProcess(pid)) continue
    const path = join(folder, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isFile() && found.size === 0) rmSync(path, { force: true })
  }
}

function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
