import { closeSync, fstatSync, readSync } from 'node:fs'
import { openPlain, realDisk } from '../../adapters/stores/files/disk.ts'

const mostBytes = 8 * 1024
const longestLine = 200

/** The last lines of an output that are not empty; undefined where there is none. */
export function lastLines(path: string, count: number): string[] | undefined {
  try {
    const lines = endOf(path).split('\n')
    return lines
      .filter((line) => line.trim() !== '')
      .slice(-count)
      .map((line) => cut(line.trimEnd()))
  } catch {
    return undefined
  }
}

function endOf(path: string): string {
  const fd = openPlain(realDisk, path)
  try {
    const { size } = fstatSync(fd)
    const bytes = Buffer.alloc(Math.min(size, mostBytes))
    const read = readSync(fd, bytes, 0, bytes.length, size - bytes.length)
    return bytes.toString('utf8', 0, read)
  } finally {
    closeSync(fd)
  }
}

const cut = (line: string): string => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)
