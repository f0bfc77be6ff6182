import { lstatSync } from 'node:fs'
import { readSome } from './read-some.ts'

const mostBytes = 16 * 1024 * 1024
/** As far as git looks for a zero byte when it asks whether a file is text. */
const looksBinaryIn = 8000

/** Lines of files that git does not know yet. null for what is binary, no plain file, or more than can be read. */
export function createLineCounter(): (path: Buffer) => number | null {
  let left = mostBytes
  return (path) => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found?.isFile() || found.size > left) return null
    left -= found.size
    const bytes = readSome(path, found.size)
    if (!bytes || bytes.subarray(0, looksBinaryIn).includes(0)) return null
    return linesIn(bytes)
  }
}

function linesIn(bytes: Buffer): number {
  let lines = bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1
  return lines
}
