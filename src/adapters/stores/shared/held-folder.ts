import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'

/** A temporary folder for data that processes need as files. Created on first use and removed with its owner. */
export type HeldFolder = {
  path(): string
  /** Undefined before the first use. */
  madePath(): string | undefined
  write(inside: string, bytes: Uint8Array): string
  /** Reads a file and returns its path inside the folder. Contract: does not follow symlinks or wait for named pipes. */
  read(path: string): { readonly inside: string; readonly bytes: Uint8Array }
  /** Returns the logs of processes, most recently written last. */
  logs(): Map<string, Uint8Array>
  remove(): void
}

/** `make` creates the folder itself. */
export function createHeldFolder(make = makeFolder): HeldFolder {
  let made: string | undefined
  return {
    path,
    madePath: () => made,
    write(inside, bytes) {
      const file = join(path(), inside)
      fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      fs.writeFileSync(file, bytes, { mode: 0o600 })
      return file
    },
    read(file) {
      const inside = relative(path(), file).split(sep).join('/')
      if (inside.startsWith('..') || isAbsolute(inside)) throw new Error(`${file} is not in the run's folder`)
      return { inside, bytes: readPlain(file) }
    },
    logs: () => new Map(made === undefined ? [] : listLogs(join(made, 'attempts'))),
    remove() {
      if (made !== undefined) fs.rmSync(made, { recursive: true, force: true })
      made = undefined
    },
  }

  function path(): string {
    if (made !== undefined) return made
    made = make()
    for (const part of ['attempts', 'hand-over']) fs.mkdirSync(join(made, part), { mode: 0o700 })
    return made
  }
}

const makeFolder = (): string => fs.mkdtempSync(join(tmpdir(), 'pawl-'))

function listLogs(folder: string): [name: string, bytes: Uint8Array][] {
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => ({ name, stat: fs.lstatSync(join(folder, name)) }))
    .filter(({ stat }) => stat.isFile())
    .sort((a, b) => a.stat.mtimeMs - b.stat.mtimeMs || (a.name < b.name ? -1 : 1))
    .map(({ name }) => [name, readPlain(join(folder, name))])
}

export function readPlain(path: string): Uint8Array {
  const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK)
  try {
    if (!fs.fstatSync(fd).isFile()) throw new Error(`${path} is not a regular file`)
    return fs.readFileSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}
