import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs'
import { readSome } from './read-some.ts'

const mostRead = 2000
const largestRead = 256 * 1024
const mostBytes = 8 * 1024 * 1024

/** What tells one state of a file from another. */
export type Stamp = readonly [string, ...Uint8Array[]]

/**
 * Small files speak by their content, so that touching one changes nothing; beyond some thousand files or some
 * megabytes they speak by what the system knows of them.
 */
export function createStamper(): (path: Buffer) => Stamp {
  let left = mostRead
  let bytesLeft = mostBytes

  function stamp(path: Buffer): Stamp {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (!found) return ['gone']
    const kind = `mode ${found.mode}`
    const size = Number(found.size)
    if (found.isSymbolicLink()) return [kind, readlinkSync(path, 'buffer')]
    if (!found.isFile() || size > largestRead || size > bytesLeft || left === 0) return [`${kind} ${marksOf(found)}`]
    left -= 1
    bytesLeft -= size
    return [kind, readSome(path, size) ?? Buffer.from(marksOf(found))]
  }

  return (path) => {
    try {
      return stamp(path)
    } catch (error) {
      return [String((error as NodeJS.ErrnoException).code)]
    }
  }
}

/** The time of the last change of any kind cannot be set by hand: content that keeps size and date is seen by it. */
export const marksOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string => `${size} ${mtimeNs} ${ctimeNs} ${ino}`
