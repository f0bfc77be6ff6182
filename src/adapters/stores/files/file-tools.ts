import { mkdirSync, renameSync, rmSync } from 'node:fs'
import type { Files } from '../../../ports/files.ts'
import { readPlain, realDisk, writeWhole } from './disk.ts'

/** Small files of this machine. */
export const fileTools: Files = {
  read: (path, most) => readPlain(realDisk, path, most),
  write: (path, text, options) => writeWhole(realDisk, path, text, options),
  makeFolder: (path) => mkdirSync(path, { recursive: true, mode: 0o700 }),
  remove: (path) => rmSync(path, { force: true }),
  rename: (from, to) => renameSync(from, to),
}
