import { lstatSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive, readProcess } from './processes.ts'

/** Creates a temporary folder that names its process, so that a later one can remove it if this one is killed. */
export function makeTempFolder(): string {
  const temp = realpathSync(tmpdir())
  removeAbandoned(temp)
  return mkdtempSync(join(temp, `pawl-${own()}-`))
}

let owner: string | undefined

/** This process: its PID namespace, number and start, in short. Empty where the system does not tell. */
function own(): string {
  owner ??= formatOwner(process.pid)
  return owner
}

function formatOwner(pid: number): string {
  const [startTime, space] = [readProcess(pid)?.startTime, readSpace()]
  return startTime === undefined || space === undefined
    ? ''
    : [space, pid, Number(startTime)].map((part) => part.toString(36)).join('.')
}

/** Process numbers mean something only within their namespace. */
function readSpace(): number | undefined {
  try {
    const [, number] = /\[(\d+)\]/.exec(readlinkSync('/proc/self/ns/pid')) ?? []
    return number === undefined ? undefined : Number(number)
  } catch {
    return undefined
  }
}

const named = /^pawl-([0-9a-z]+)\.([0-9a-z]+)\.[0-9a-z]+-/
let isSwept = false

/** Removes the folders of dead processes of this namespace. Once per process. */
function removeAbandoned(temp: string): void {
  if (isSwept) return
  isSwept = true
  const space = readSpace()?.toString(36)
  for (const name of listNames(temp)) {
    const [start, of, pid] = named.exec(name) ?? []
    if (start === undefined || of !== space) continue
    const number = Number.parseInt(pid!, 36)
    const found = readProcess(number)
    const isOwned = found !== null && isAlive(found) && start === `pawl-${formatOwner(number)}-`
    if (!isOwned) removeOwn(join(temp, name))
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Only what this user owns: another user could exchange a folder for a link while it is removed. */
function removeOwn(path: string): void {
  try {
    if (lstatSync(path).uid === process.getuid?.()) rmSync(path, { recursive: true, force: true })
  } catch {}
}
