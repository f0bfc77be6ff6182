import { randomUUID } from 'node:crypto'
import type { Inbox } from '../../ports/inbox.ts'
import { NotSavedError } from '../../ports/journal.ts'
import type { Owner } from '../../ports/lease.ts'
import type { HeldRun, HoldOptions } from '../../ports/run-store.ts'
import { createHeldFolder } from '../stores/shared/held-folder.ts'
import { hash, newOwner, ownedError } from '../stores/shared/values.ts'
import { openContent, orNotSaved } from './content.ts'
import { openPostgresJournal } from './journal.ts'
import { listNotes } from './notes.ts'
import { createPump } from './outputs.ts'
import { noteBell, type Sql } from './sql.ts'

/** An owner that does not renew its lease for this long has lost it. Short, because a dead worker's run waits for it. */
export const leaseMs = 12_000
const renewMs = 3000
/** The owner stops itself this long before others may take over, so that two never work at once. */
const marginMs = 1500
const copyMs = 700

/** State of this process that the database does not have. */
export type Here = {
  /** Every hold of this process, so that its own readers see output at once. */
  readonly pumps: Map<string, () => Promise<void>>
  /** Makes a temporary folder. */
  readonly makeFolder?: (() => string) | undefined
}

type Taken = { readonly epoch: number; readonly lived?: { readonly seq: number; readonly ms: number } }

export async function holdRun(
  sql: Sql,
  run: string,
  { pumps, makeFolder }: Here,
  { takeOver = false, onRepair }: HoldOptions,
): Promise<HeldRun> {
  const holder = randomUUID()
  const { epoch, lived } = await takeLease(sql, run, holder, takeOver)
  const lost = new AbortController()
  const lose = (): void => lost.abort('lease lost')
  const folder = createHeldFolder(makeFolder)
  const pump = createPump(sql, run, folder.madePath)
  const content = openContent(sql, run)
  const rings = new Set<() => void>()
  const ring = (): void => {
    for (const call of rings) call()
  }
  const worked = { seq: 0, at: performance.now() }
  let lastNote = 0
  const journal = openPostgresJournal(sql, {
    run,
    epoch,
    holder,
    lost: lost.signal,
    lived,
    onRepair,
    onAppend(seq) {
      worked.seq = seq
      worked.at = performance.now()
      sql.listener.ring(run)
    },
    onStale: lose,
  })
  const inbox: Inbox = {
    take: (after) => listNotes(sql, run, after),
    onRing(call) {
      rings.add(call)
      return () => rings.delete(call)
    },
  }
  const deaf = sql.listener.on(noteBell(run), ring)
  let deadline = setTimeout(lose, leaseMs - marginMs)
  const beat = setInterval(() => void renew(), renewMs)
  const copying = setInterval(() => void pump.copy(), copyMs)
  let isRenewing = false
  let isReleased = false
  let marking: Promise<unknown> = Promise.resolve()
  pumps.set(run, pump.copy)

  /** Also finds notes whose notification was lost. */
  async function renew(): Promise<void> {
    if (isRenewing || lost.signal.aborted) return
    isRenewing = true
    const sent = performance.now()
    try {
      const [row] = await sql.query<{ notes: number }>(
        `update pawl.lease set until = clock_timestamp() + $3 * interval '1 ms', lived_ms = $4, lived_seq = $5
         where run = $1 and holder = $2
         returning (select coalesce(max(id), 0) from pawl.note where run = $1) as notes`,
        [run, holder, leaseMs, Math.floor(sent - worked.at), worked.seq],
        { ms: renewMs },
      )
      if (!row) return lose()
      clearTimeout(deadline)
      if (!isReleased) deadline = setTimeout(lose, leaseMs - marginMs - (performance.now() - sent))
      if (row.notes > lastNote) ring()
      lastNote = row.notes
    } catch {
      // Tried again until the deadline.
    } finally {
      isRenewing = false
    }
  }

  async function release(): Promise<void> {
    if (isReleased) return
    isReleased = true
    clearInterval(beat)
    clearInterval(copying)
    clearTimeout(deadline)
    deaf()
    journal.close()
    await Promise.all([pump.copy(), marking])
    if (pumps.get(run) === pump.copy) pumps.delete(run)
    // If this fails, the lease ends by itself.
    await sql
      .query(
        'update pawl.lease set holder = null, owner = null, until = null where run = $1 and holder = $2',
        [run, holder],
        {
          ms: renewMs,
        },
      )
      .catch(() => {})
    sql.listener.ring(run)
    try {
      folder.remove()
    } catch {
      // The system cleans up temporary files.
    }
  }

  sql.listener.ring(run)
  return {
    epoch,
    lost: lost.signal,
    journal,
    inbox,
    content,
    get folder() {
      return folder.path()
    },
    file: async (ref) => folder.write(ref.path, await content.get(ref)),
    async adopt(path) {
      const { inside, bytes } = readFile(path)
      const sha256 = hash(bytes)
      await orNotSaved(inside, () =>
        sql.query(
          `insert into pawl.content (run, path, sha256, bytes) values ($1, $2, $3, $4)
           on conflict (run, path) do update set sha256 = excluded.sha256, bytes = excluded.bytes, written = clock_timestamp()`,
          [run, inside, sha256, bytes],
        ),
      )
      await pump.adopt(inside)
      return { path: inside, sha256, bytes: bytes.length }
    },
    markBroken: () => {
      marking = sql.query('update pawl.run set whole = false where id = $1', [run]).catch(() => {})
    },
    release,
  }

  function readFile(path: string) {
    try {
      return folder.read(path)
    } catch (error) {
      throw new NotSavedError(`cannot save ${path}: ${(error as Error).message}`, { cause: error })
    }
  }
}

/** Becomes the holder in one statement. Run again after a lost acknowledgement, it finds itself as the holder. */
async function takeLease({ query }: Sql, run: string, holder: string, takeOver: boolean): Promise<Taken> {
  const [row] = await query<{ epoch: number; crashed: boolean; lived_seq: number; lived_ms: string }>(
    `with former as (select * from pawl.lease where run = $1 for update)
     update pawl.lease l
     set epoch = case when former.holder = $2 then former.epoch else former.epoch + 1 end,
         holder = $2, owner = $3, until = clock_timestamp() + $4 * interval '1 ms'
     from former
     where l.run = former.run
       and ($5 or former.holder is null or former.holder = $2 or former.until < clock_timestamp())
     returning l.epoch, former.holder is not null as crashed, former.lived_seq, former.lived_ms`,
    [run, holder, JSON.stringify(newOwner(0)), leaseMs, takeOver],
  )
  if (!row) {
    const owner = await readOwner({ query }, run)
    if (owner) throw ownedError(owner)
    throw new NotSavedError(`run ${run} is not stored here any more, or was just released`)
  }
  const { epoch, crashed, lived_seq: seq, lived_ms } = row
  return { epoch, ...(crashed && { lived: { seq, ms: Number(lived_ms) } }) }
}

/** Returns the owner whose lease has not ended. */
export async function readOwner({ query }: Pick<Sql, 'query'>, run: string): Promise<Owner | undefined> {
  const [row] = await query<{ owner: Owner; epoch: number }>(
    'select owner, epoch from pawl.lease where run = $1 and holder is not null and until >= clock_timestamp()',
    [run],
  )
  return row && { ...row.owner, epoch: row.epoch }
}
