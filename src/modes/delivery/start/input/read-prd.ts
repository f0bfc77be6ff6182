import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { PawlError } from '../../../../contract/exit.ts'
import { DeliveryError } from './contract-error.ts'

const maxBytes = 16 * 1024 * 1024

/** Reads a PRD. Symlinks are followed, but the file must be inside `root`. */
export function readPrd(root: string, path: string): string {
  try {
    const real = realpathSync(resolve(root, path))
    if (relative(realpathSync(root), real).split(sep)[0] === '..') throw new Error('it is outside the repository')
    return decode(readBytes(real))
  } catch (error) {
    if (error instanceof PawlError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    const says = code === 'ENOENT' ? 'no such file' : message
    throw new DeliveryError('plan_generation_failed', `cannot read the PRD ${path}: ${says}`)
  }
}

function readBytes(path: string): Buffer {
  // Without O_NONBLOCK, opening a FIFO waits for a writer that may never come.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const found = fstatSync(fd)
    if (!found.isFile()) throw new Error('it is not a regular file')
    if (found.size > maxBytes) throw new Error('it is larger than 16 MiB')
    return readFileSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Throws on invalid bytes, which would silently become other characters in the plan. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error('it is not UTF-8 text')
  }
}
