import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** It may have become a pipe or a link a moment ago, and it may not be ours to read. */
export function readSome(path: Buffer, size: number): Buffer | undefined {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const bytes = Buffer.alloc(size)
    return fstatSync(fd).isFile() ? bytes.subarray(0, readSync(fd, bytes, 0, size, 0)) : undefined
  } catch {
    return undefined
  } finally {
    closeSync(fd)
  }
}
