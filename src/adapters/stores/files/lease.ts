import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname, uptime } from 'node:os'
import { join } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import { NotSavedError, StaleWriterError } from '../../../ports/journal.ts'
import { type Lease, type Owner, RunOwnedError } from '../../../ports/lease.ts'
import { type Disk, hasCode, readPlain, realDisk, unlinkQuietly, writeAll } from './disk.ts'

/**
 * Makes this process the only writer of a run. Each owner has a file `lease-<epoch>`, created atomically by `link`, so
 * only one of two simultaneous starts succeeds. A takeover creates the file of the next epoch and removes the previous
 * one; the old owner notices the missing file. Throws RunOwnedError if the owner may be alive, unless `force` is set.
 * The epoch is also above `after()`: the lease files may be lost, for example in a backup.
 */
export function acquireLease(dir: string, options: LeaseOptions = {}): Lease {
  const { disk = realDisk, force = false, after = () => 0, now = () => new Date(), by } = options
  for (;;) {
    const current = newestLease(disk, dir)
    if (current && !current.free && !force) refuseIfAlive(disk, dir, current)
    const epoch = Math.max(current?.epoch ?? 0, after()) + 1
    const owner = { ...self(now()), epoch, ...(by !== undefined && { by }) }
    if (!claim(disk, dir, owner)) continue
    const all = leases(disk, dir)
    if (all.some((other) => other.epoch > epoch || (other.epoch === epoch && other.free))) {
      unlinkIfThere(disk, leasePath(dir, epoch))
      continue
    }
    for (const older of leases(disk, dir)) if (older.epoch < epoch) unlinkIfThere(disk, join(dir, older.name))
    return { epoch, check: () => checkOwned(disk, dir, epoch), release: () => release(disk, dir, epoch) }
  }
}

type LeaseOptions = {
  readonly disk?: Disk
  readonly force?: boolean
  readonly after?: () => number
  readonly now?: () => Date
  readonly by?: string | undefined
}

/** Returns the run's owner. Undefined if there is none or if it is provably dead. */
export function livingOwner(dir: string, disk: Disk = realDisk): Owner | undefined {
  const current = newestLease(disk, dir)
  if (!current || current.free) return undefined
  const owner = readOwner(disk, dir, current.name)
  return owner && deadBecause(owner) === undefined ? owner : undefined
}

/** Throws RunOwnedError if the run has an owner that may be alive. */
export function refuseIfOwned(dir: string, disk: Disk = realDisk): void {
  const current = newestLease(disk, dir)
  if (current && !current.free) refuseIfAlive(disk, dir, current)
}

type LeaseFile = { readonly name: string; readonly epoch: number; readonly free: boolean }

function leases(disk: Disk, dir: string): LeaseFile[] {
  return disk.readdirSync(dir).flatMap((name) => {
    const match = /^lease-(\d+)(\.free)?$/.exec(String(name))
    return match ? [{ name: match[0], epoch: Number(match[1]), free: match[2] !== undefined }] : []
  })
}

const newestLease = (disk: Disk, dir: string): LeaseFile | undefined =>
  leases(disk, dir).sort((a, b) => b.epoch - a.epoch)[0]

const leasePath = (dir: string, epoch: number): string => join(dir, `lease-${epoch}`)

function self(now: Date): Omit<Owner, 'epoch'> {
  const { pid } = process
  const machine = { host: hostname(), bootId: bootId() }
  const identity = { pid, pidStart: processStart(pid) ?? '', pidNamespace: pidNamespace() }
  return { ...machine, ...identity, owner: randomUUID(), since: now.toISOString() }
}

function claim(disk: Disk, dir: string, owner: Owner): boolean {
  const part = join(dir, `.lease-${owner.owner}`)
  try {
    const fd = disk.openSync(part, 'wx', 0o600)
    try {
      writeAll(disk, fd, Buffer.from(JSON.stringify(owner)))
      disk.fdatasyncSync(fd)
    } finally {
      disk.closeSync(fd)
    }
    disk.linkSync(part, leasePath(dir, owner.epoch))
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    if (error instanceof PawlError) throw error
    throw new NotSavedError(`cannot write ${leasePath(dir, owner.epoch)}: ${(error as Error).message}`, {
      cause: error,
    })
  } finally {
    unlinkQuietly(disk, part)
  }
}

/** Ignores a missing file: another process may have removed it first. */
function unlinkIfThere(disk: Disk, path: string): void {
  try {
    disk.unlinkSync(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

function refuseIfAlive(disk: Disk, dir: string, { name }: LeaseFile): void {
  const owner = readOwner(disk, dir, name)
  if (owner) {
    if (deadBecause(owner)) return
    const { pid, host, since } = owner
    const where = isElsewhere(owner) ? ' in another container or PID namespace' : ''
    const isUncertain = where !== '' || owner.bootId !== bootId()
    throw new RunOwnedError(`already running (pid ${pid} on ${host}${where} since ${since})`, owner, isUncertain)
  }
  try {
    if (disk.statSync(join(dir, name)).mtimeMs < bootedAt()) return
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  throw new RunOwnedError(`cannot read ${join(dir, name)}, so the owner may still be running`, undefined, true)
}

function readOwner(disk: Disk, dir: string, name: string): Owner | undefined {
  try {
    const found = JSON.parse(readPlain(disk, join(dir, name), 64 * 1024)) as Owner
    return isOwner(found) ? found : undefined
  } catch {
    return undefined
  }
}

/** Checked by hand: a list reads many of these, and loading a schema would take longer than all of them. */
function isOwner({ host, bootId, pid, pidStart, owner, epoch, since }: Owner): boolean {
  const texts = [host, bootId, pidStart, owner, since]
  return texts.every((text) => typeof text === 'string') && [pid, epoch].every((one) => typeof one === 'number')
}

/** Returns why an owner is certainly dead. Undefined if it may be alive. */
function deadBecause(owner: Owner): string | undefined {
  const sameBoot = owner.bootId === bootId()
  // The same boot id means the same machine, even if its host name has changed.
  if (owner.host !== hostname() && !sameBoot) return undefined
  if (!sameBoot) return 'the machine has rebooted'
  if (isElsewhere(owner)) return undefined
  const start = processStart(owner.pid)
  if (start === undefined) return 'its process is gone'
  return start === owner.pidStart ? undefined : 'its pid belongs to another process'
}

/** A pid of another PID namespace means nothing here. Leases of earlier versions name no namespace. */
function isElsewhere(owner: Owner): boolean {
  const here = pidNamespace()
  return owner.pidNamespace !== undefined && here !== undefined && owner.pidNamespace !== here
}

function checkOwned(disk: Disk, dir: string, epoch: number): void {
  if (disk.existsSync(leasePath(dir, epoch))) return
  throw new StaleWriterError(disk.existsSync(dir) ? 'another process has taken over this run' : `${dir} is gone`)
}

/** Keeps a file with the epoch, so that no later owner gets the same one. */
function release(disk: Disk, dir: string, epoch: number): void {
  try {
    disk.renameSync(leasePath(dir, epoch), `${leasePath(dir, epoch)}.free`)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

/** Identifies this boot of the machine: a process of another boot is dead. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    // Without /proc, use the boot time, rounded to a minute to tolerate clock corrections.
    return `boot-${Math.round(bootedAt() / 60_000)}`
  }
}

/** Undefined where the system has no PID namespaces. */
function pidNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return undefined
  }
}

const bootedAt = (): number => Date.now() - uptime() * 1000

/** Returns the start time of a process in system ticks. Undefined if it is not running. */
export function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain anything, so count fields after it. A zombie is not running.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return hasNoProc() && isAlive(pid) ? 'unknown' : undefined
  }
}

const hasNoProc = (): boolean => process.platform !== 'linux'

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
