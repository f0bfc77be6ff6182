import { closeSync, fstatSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { addToDay, finishMoves, isOver, lastToldIn, moveAway, sapLogName } from './sap-days.ts'
import { dayOf, inodeAt, makeFolder, openOwnFile, type SapText, type Write, writeLines } from './sap-open.ts'

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
    lastTold: (run, since) => locked(() => lastToldIn(folder, run, since)),
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
    file.day ??= dayOf(file.fd)
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
    if (inodeAt(path) !== file.inode) locked(() => addToDay(folder, dayOf(file.fd) ?? day, batch))
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
    held = { fd, inode: fstatSync(fd).ino, day: dayOf(fd) }
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
