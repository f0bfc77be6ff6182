import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { PawlError } from '../../../contract/exit.ts'
import type { Line } from '../../../contract/line.ts'
import type { Card } from '../../../contract/show.ts'
import type { Ref } from '../../../contract/values.ts'
import { type Owner, RunOwnedError } from '../../../ports/lease.ts'

/** The only journal format that this program reads and writes. docs/journal.md describes how to migrate an older one. */
export const journalVersion = 2
export const maxLineBytes = 4096
export const pageSize = 500
/** The most that one call reads of a process's output. */
export const maxOutputBytes = 1 << 20

export const hash = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Throws if the first line has another journal version. Stored there so that it cannot be separated from the journal. */
export function checkVersion(first: Line, path: string): void {
  const version = Number(first.context?.journal ?? Number.NaN)
  if (version > journalVersion) {
    throw new PawlError(
      30,
      `${path} was written by a newer pawl (journal ${version}); this one reads journal ${journalVersion}`,
    )
  }
  if (version < journalVersion) {
    const what = `${path} was written by an older pawl (journal ${version}); this one reads journal ${journalVersion}`
    throw new PawlError(30, what, 'Start a new run. Nothing was changed.')
  }
}

/** Returns the content that an event refers to. Searches recursively, because a Ref may be anywhere in its data. */
export function findRefs(value: unknown): Ref[] {
  if (value === null || typeof value !== 'object') return []
  const { path, sha256, bytes } = value as Partial<Ref>
  if (typeof path === 'string' && typeof sha256 === 'string' && typeof bytes === 'number')
    return [{ path, sha256, bytes }]
  return Object.values(value).flatMap(findRefs)
}

/**
 * Undefined if the card is missing or malformed; the journal is read instead. Checked by hand, because loading a schema
 * would take longer than the list itself.
 */
export function asCard(value: unknown): Card | undefined {
  const card = value as Partial<Card> | null | undefined
  const isShaped =
    Number.isSafeInteger(card?.seq) &&
    typeof card?.at === 'number' &&
    cardStandings.has(card.standing) &&
    typeof card.progress === 'string' &&
    card.did !== undefined &&
    typeof card.needsYou === 'boolean' &&
    typeof card.spend?.tokens === 'number' &&
    typeof card.spend.costUsd === 'number' &&
    typeof card.caps === 'object' &&
    card.caps !== null
  return isShaped ? (card as Card) : undefined
}

const cardStandings: ReadonlySet<unknown> = new Set<Card['standing']>([
  'open',
  'waiting',
  'interrupted',
  'completed',
  'failed',
  'blocked',
  'cancelled',
])

/** This process as an owner, for stores whose leases name no boot and no process start. */
export const newOwner = (epoch: number): Owner => ({
  host: hostname(),
  bootId: '',
  pid: process.pid,
  pidStart: '',
  owner: randomUUID(),
  epoch,
  since: new Date().toISOString(),
})

export const ownedError = (owner: Owner): RunOwnedError =>
  new RunOwnedError(`already running (pid ${owner.pid} on ${owner.host} since ${owner.since})`, owner)

/** Returns where to begin to read: a negative `from` counts from the end. */
export const startAt = (from: number, length: number): number =>
  from < 0 ? Math.max(0, length + from) : Math.min(from, length)
