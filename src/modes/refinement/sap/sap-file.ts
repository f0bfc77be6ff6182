import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { closeSync, fstatSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { createUuid } from './sap-line.ts'
import {
  inodeAt,
  makeFolder,
  openOwnFile,
  openPlainFile,
  readDay,
  type SapText,
  unlessMissing,
  type Write,
  writeAll,
  writeLines,
} from './sap-open.ts'
import { compact, parse } from './sap-sampling.ts'

export type SapEntry = SapText & { readonly day: string }

export type SapFile = {
  /** Contract: whole lines, in order, each once, however many write at a time; throws what the disk or a stranger's file says. */
  append(entries: readonly SapEntry[]): void
  /** The number of a run's last event that is told, in files of this day and since. */
  lastTold(run: string, since: string): number
  close(): void
}

export type SapFileTools = {
  /** One process at a time. */
  readonly alone: <Result>(action: () => Result) => Result
  readonly write?: Write
}

/** `day` is undefined while the file is empty. */
type Held = { readonly fd: number; readonly inode: number; day: string | undefined }

/**
 * `sap.log` holds one day, that of its first line; the first line of a later day moves it away. Adding to it takes no lock:
 * whoever has written looks whether the file still is in its place, and where it was moved meanwhile, what became of the line.
 * All that happens to files of other days happens under the lock.
 */
export function openSapFile(folder: string, { alone, write = writeSync }: SapFileTools): SapFile {
  const path = join(folder, sapLogName)
  let held: Held | undefined

  return {
    append(entries) {
      for (let from = 0; from < entries.length; ) {
        const { day } = entries[from]!
        const next = entries.findIndex((entry, at) => at > from && entry.day !== day)
        const batch = entries.slice(from, next < 0 ? undefined : next)
        addBatch(day, batch)
        from += batch.length
      }
    },
    lastTold: (run, since) => locked(() => findLastSeq(folder, run, since)),
    close: letGo,
  }

  function addBatch(day: string, batch: readonly SapText[]): void {
    if (isBefore(current().day, day)) locked(() => rotate(day))
    const file = current()
    if (file.day === undefined) locked(() => begin(day, batch))
    else if (isBefore(day, file.day)) locked(() => addToDay(folder, day, batch))
    else addTo(file, day, batch)
  }

  /** The first line decides whose day it is, so nobody writes it beside another; and a day that is over does not begin anew. */
  function begin(day: string, batch: readonly SapText[]): void {
    const file = current()
    file.day ??= readDay(file.fd)
    if (file.day === undefined ? isOver(folder, day) : day < file.day) addToDay(folder, day, batch)
    else {
      rotate(day)
      const mine = current()
      writeLines(write, mine.fd, batch)
      mine.day ??= day
    }
  }

  function addTo(file: Held, day: string, batch: readonly SapText[]): void {
    writeLines(write, file.fd, batch)
    file.day ??= day
    if (inodeAt(path) !== file.inode) locked(() => addToDay(folder, readDay(file.fd) ?? day, batch))
  }

  /** Another process may have done it while this one waited for the lock. */
  function rotate(day: string): void {
    const { day: before } = current()
    if (before !== undefined && before < day) moveAway(folder, before)
  }

  function locked<T>(action: () => T): T {
    return alone(() => {
      makeFolder(folder)
      finishMoves(folder)
      return action()
    })
  }

  function current(): Held {
    if (held && inodeAt(path) === held.inode) return held
    letGo()
    makeFolder(folder)
    const fd = openOwnFile(path)
    held = { fd, inode: fstatSync(fd).ino, day: readDay(fd) }
    return held
  }

  function letGo(): void {
    const fd = held?.fd
    held = undefined
    if (fd !== undefined) closeSync(fd)
  }
}

const isBefore = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one < other

// Files of days that are over, and the one that is on its way there. Whoever calls this holds the lock.

const sapLogName = 'sap.log'
const dayName = (day: string): string => `${sapLogName}.${day}`
const movedName = (day: string): string => `.${dayName(day)}.moved`
const largest = 256 * 1024 * 1024

/** Takes today's file out of the way; from here on it is the file of its day. */
function moveAway(folder: string, day: string): void {
  fs.renameSync(join(folder, sapLogName), join(folder, movedName(day)))
  finishMoves(folder)
}

/** What was moved becomes the file of its day, with all that is there of that day. Done again after a crash, it comes to the same. */
function finishMoves(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    const day = /^\.sap\.log\.(\d{4}-\d\d-\d\d)\.moved$/.exec(name)?.[1]
    if (day === undefined) continue
    const [moved, path] = [join(folder, name), join(folder, dayName(day))]
    if (isHuge(moved) || isHuge(path)) {
      fs.renameSync(moved, fs.existsSync(path) ? `${path}.${randomUUID()}` : path)
    } else {
      replace(folder, dayName(day), compact(once([...linesIn(path), ...linesIn(moved)])))
      fs.unlinkSync(moved)
    }
  }
}

/** Lines that come late are added to the file of their day, unless they are there. */
function addToDay(folder: string, day: string, batch: readonly SapText[]): void {
  const path = join(folder, dayName(day))
  const there = new Set([...linesIn(path)].map((text) => parse(text)?.uuid))
  const missing = batch.filter(({ uuid }) => !there.has(uuid))
  if (missing.length === 0) return
  const fd = openOwnFile(path)
  try {
    writeLines(fs.writeSync, fd, missing)
  } finally {
    fs.closeSync(fd)
  }
}

/** Its file was moved away, or that of a later day. */
const isOver = (folder: string, day: string): boolean => fs.readdirSync(folder).some((name) => isSince(name, day))

/** The number of a run's last event that is told in today's file or in one of a day since then; 0 where none is. */
function findLastSeq(folder: string, run: string, since: string): number {
  const names = fs.readdirSync(folder).filter((name) => name === sapLogName || isSince(name, since))
  let last = 0
  for (const name of names) for (const text of linesIn(join(folder, name))) last = Math.max(last, parseSeq(text, run))
  return last
}

const isSince = (name: string, since: string): boolean =>
  /^sap\.log\.\d{4}-\d\d-\d\d$/.test(name) && name >= dayName(since)

/** Most lines are of other runs, and are not parsed for that. */
function parseSeq(text: string, run: string): number {
  const line = text.includes(run) ? parse(text) : undefined
  return line && line.run_id === run && line.uuid === createUuid(run, line.seq) ? line.seq : 0
}

function* linesIn(path: string): Generator<string> {
  const fd = unlessMissing(() => openPlainFile(path))
  if (fd === undefined) return
  try {
    const [chunk, decoder] = [Buffer.alloc(1 << 16), new StringDecoder('utf8')]
    let rest = ''
    for (let read = 1; read > 0; ) {
      read = fs.readSync(fd, chunk, 0, chunk.length, null)
      const lines = (rest + decoder.write(chunk.subarray(0, read))).split('\n')
      rest = lines.pop()!
      for (const line of lines) if (line !== '') yield line
    }
    if (rest !== '') yield rest
  } finally {
    fs.closeSync(fd)
  }
}

/** Too much to be read at once, and none of ours: such a file is left as it is. */
const isHuge = (path: string): boolean => (fs.lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) > largest

function once(texts: readonly string[]): string[] {
  const seen = new Set<string>()
  return texts.filter((text) => {
    const uuid = parse(text)?.uuid
    if (uuid === undefined) return true
    return !seen.has(uuid) && seen.add(uuid)
  })
}

function replace(folder: string, name: string, texts: readonly string[]): void {
  const part = join(folder, `.${name}.${randomUUID()}`)
  try {
    const fd = fs.openSync(part, 'wx', 0o600)
    try {
      writeAll(fs.writeSync, fd, Buffer.from(texts.map((text) => `${text}\n`).join('')))
    } finally {
      fs.closeSync(fd)
    }
    fs.renameSync(part, join(folder, name))
  } finally {
    fs.rmSync(part, { force: true })
  }
}
