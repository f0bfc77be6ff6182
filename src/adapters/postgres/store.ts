import { randomUUID } from 'node:crypto'
import type { Draft } from '../../contract/event.ts'
import { PawlError } from '../../contract/exit.ts'
import { toLine } from '../../contract/line.ts'
import type { Ref } from '../../contract/values.ts'
import type { Owner } from '../../ports/lease.ts'
import type { Lock, LockKey, Locks } from '../../ports/locks.ts'
import type { Content, NewRun, RunEntry, RunListing, RunStore } from '../../ports/run-store.ts'
import { asCard, hash, newOwner, ownedError } from '../stores/shared/values.ts'
import { toRow } from './content.ts'
import { type Here, leaseMs, readOwner } from './held-run.ts'
import type { Query } from './query.ts'
import { type Sql, toJson } from './sql.ts'
import { openStoredRun } from './stored-run.ts'

export type PostgresStoreOptions = {
  readonly sql: Sql
  /** Locks on folders of this machine. A database knows nothing of them. */
  readonly folders: Locks
  /** Makes a temporary folder that outlives no process. Default: one that a killed process leaves behind. */
  readonly makeFolder?: () => string
}

type EntryRow = Omit<RunEntry, 'address' | 'trusted' | 'queued'> & {
  readonly trusted: string | null
  readonly queued: boolean
}

const entryColumns = 'r.id, r.mode, r.name, r.workspace, r.created, r.trusted, r.queued'
const prefix = 'postgres:'
/** A list without a limit has this many: nobody reads a million. An older run is found by its id. */
const mostListed = 2000

/** Stores runs in Postgres, so that several machines can work on them. Whoever may write its tables may start runs. */
export function openPostgresStore({ sql, folders, makeFolder }: PostgresStoreOptions): RunStore {
  const { query } = sql
  const here: Here = { pumps: new Map(), makeFolder }
  const idOf = (address: string): string => (address.startsWith(prefix) ? address.slice(prefix.length) : address)

  return {
    name: 'postgres',
    async create(wanted) {
      const { id } = wanted.entry
      try {
        if (wanted.at !== undefined) throw new Error(`a database cannot use the folder ${wanted.at}`)
        const entry = await createRun(sql, wanted)
        sql.listener.ring(id)
        return openStoredRun(sql, entry, here)
      } catch (error) {
        if (error instanceof PawlError) throw error
        throw new PawlError(20, `cannot create ${prefix}${id}: ${(error as Error).message}`, 'Nothing was started.')
      }
    },
    async open(address) {
      const [row] = await query<EntryRow>(`select ${entryColumns} from pawl.run r where r.id = $1`, [idOf(address)])
      return row && openStoredRun(sql, toEntry(row), here)
    },
    async list({ workspace, limit }) {
      const rows = await query<EntryRow & { card: unknown; seq: number | null; owner: Owner | null; epoch: number }>(
        `select ${entryColumns}, r.card, l.epoch,
           case when l.holder is not null and l.until >= clock_timestamp() then l.owner end as owner,
           (select max(e.seq) from pawl.event e where e.run = r.id) as seq
         from pawl.run r join pawl.lease l on l.run = r.id
         where r.listed and ($1::text is null or r.workspace = $1)
         order by r.created desc, r.id desc limit $2`,
        [workspace ?? null, limit ?? mostListed],
      )
      return rows.map(
        ({ card, seq, owner, epoch, ...row }): RunListing => ({
          ...toEntry(row),
          seq: seq ?? 0,
          card: asCard(card),
          owner: owner ? { ...owner, epoch } : undefined,
        }),
      )
    },
    watch: (signal) => watchRuns(sql, signal),
    async trust({ id }, sha256) {
      await query('update pawl.run set trusted = $2 where id = $1', [id, sha256])
      sql.listener.ring(id)
    },
    async remove({ id }) {
      const [stored] = await query<EntryRow>(`select ${entryColumns} from pawl.run r where r.id = $1`, [id])
      if (!stored) return 0
      const bytes = await openStoredRun(sql, toEntry(stored), here).size()
      await sql.transaction((own) => removeRun(own, id))
      sql.listener.ring(id)
      return bytes
    },
    acquire: (key, options = {}) =>
      key.of === 'folder' ? folders.acquire(key, options) : acquireName(sql, key, options.force ?? false),
  }
}

const toEntry = ({ trusted, queued, ...row }: EntryRow): RunEntry => ({
  ...row,
  address: `${prefix}${row.id}`,
  trusted: trusted ?? undefined,
  ...(queued && { queued }),
})

/** Everything in one transaction, so that a crash leaves nothing. */
async function createRun(sql: Sql, { entry, freeze, listed }: NewRun): Promise<RunEntry> {
  const content = new Map<string, { readonly ref: Ref; readonly bytes: Buffer }>()
  const { request, history = [], notes = [] } = await freeze(holdContent(content))
  const token = randomUUID()
  const trusted = listed ? hash(request) : undefined
  await sql.transaction(async (query) => {
    const { id, mode, name, workspace, created, queued = false } = entry
    const added = await query(
      `insert into pawl.run (id, mode, name, workspace, created, listed, queued, trusted, token)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning id`,
      [id, mode, name, workspace, created, listed, queued, trusted ?? null, token],
    )
    if (added.length === 0) {
      const mine = await query('select 1 from pawl.run where id = $1 and token = $2', [id, token])
      // The transaction had succeeded before and only its acknowledgement was lost.
      if (mine.length > 0) return
      throw new Error('a run with this id already exists')
    }
    await query('insert into pawl.lease (run, epoch) values ($1, $2)', [id, history.length > 0 ? 1 : 0])
    await query('insert into pawl.request (run, n, text, sha256) values ($1, 0, $2, $3)', [id, request, hash(request)])
    for (const { ref, bytes } of content.values()) {
      await query('insert into pawl.content (run, path, sha256, bytes) values ($1, $2, $3, $4)', [
        id,
        ref.path,
        ref.sha256,
        bytes,
      ])
    }
    await addHistory(query, id, history)
    let last = Math.max(0, ...history.map((draft) => (draft.type === 'note-received' ? draft.note.id : 0)))
    for (const note of notes) await addNote(query, id, { ...note, id: ++last })
  })
  return { ...entry, address: `${prefix}${entry.id}`, trusted }
}

/** Content of a run that is not there yet. */
const holdContent = (held: Map<string, { readonly ref: Ref; readonly bytes: Buffer }>): Content => ({
  async put(name, given) {
    const row = toRow(name, given)
    held.set(row.ref.path, row)
    return row.ref
  },
  async get({ path, sha256 }) {
    const row = held.get(path)
    if (row?.ref.sha256 !== sha256) throw Object.assign(new Error(`${path} is not stored here`), { code: 'ENOENT' })
    return row.bytes
  },
  has: async ({ path, sha256 }) => held.get(path)?.ref.sha256 === sha256,
})

/** Stores the events that a fork begins with. Renumbers them, because events that the parent could not read leave gaps. */
async function addHistory(query: Query, run: string, history: readonly Draft[]): Promise<void> {
  for (const [index, draft] of history.entries()) {
    const seq = index + 1
    if (draft.type === 'note-received') await addNote(query, run, draft.note)
    const line = toJson(toLine({ ...draft, seq, epoch: 1 }, run))
    await query('insert into pawl.event (run, seq, line) values ($1, $2, $3)', [run, seq, line])
  }
}

async function addNote(query: Query, run: string, { id, ...note }: { readonly id: number }): Promise<void> {
  const values = [run, id, randomUUID(), toJson(note)]
  await query('insert into pawl.note (run, id, key, note) values ($1, $2, $3, $4)', values)
}

const tables = ['request', 'event', 'view', 'note', 'content', 'output', 'turn', 'lease']

async function removeRun(query: Query, id: string): Promise<void> {
  await query('select 1 from pawl.lease where run = $1 for update', [id])
  const owner = await readOwner({ query }, id)
  if (owner) throw ownedError(owner)
  for (const table of tables) await query(`delete from pawl.${table} where run = $1`, [id])
  await query('delete from pawl.run where id = $1', [id])
}

const watchedRuns = 500
const pollMs = 2000

/** Yields runs whose row or lease has changed since the last look. A notification only makes it look earlier. */
async function watchRuns(sql: Sql, signal: AbortSignal): Promise<AsyncIterable<string>> {
  let previous = await look().catch(() => new Map<string, string>())
  return yieldChanges()

  async function look(): Promise<Map<string, string>> {
    const rows = await sql.query<{ id: string; mark: string }>(
      `select r.id, concat_ws(' ', r.xmin, l.epoch, l.holder, (select max(id) from pawl.note n where n.run = r.id),
         (select max(seq) from pawl.event e where e.run = r.id)) as mark
       from pawl.run r join pawl.lease l on l.run = r.id where r.listed order by r.created desc, r.id desc limit $1`,
      [watchedRuns],
    )
    return new Map(rows.map(({ id, mark }) => [id, mark]))
  }

  async function* yieldChanges(): AsyncGenerator<string> {
    let heard = false
    const off = sql.listener.on(undefined, () => {
      heard = true
    })
    try {
      while (!signal.aborted) {
        heard = false
        const before = previous
        const now = await look().catch(() => before)
        previous = now
        for (const id of new Set([...now.keys(), ...before.keys()])) if (now.get(id) !== before.get(id)) yield id
        if (!heard) await sql.listener.wait(undefined, pollMs, signal)
      }
    } finally {
      off()
    }
  }
}

/** One run of a name in a workspace, on any machine. Renewed like the lease of a run. */
async function acquireName(
  { query }: Sql,
  { workspace, name }: Extract<LockKey, { of: 'name' }>,
  force: boolean,
): Promise<Lock> {
  const key = `${workspace}\n${name}`
  const holder = randomUUID()
  const taken = await query(
    `insert into pawl.lock as l (name, holder, owner, epoch, until)
     values ($1, $2, $3, 1, clock_timestamp() + $4 * interval '1 ms')
     on conflict (name) do update set holder = $2, owner = $3, epoch = l.epoch + 1, until = excluded.until
     where $5 or l.until < clock_timestamp() or l.holder = $2 returning 1`,
    [key, holder, JSON.stringify(newOwner(0)), leaseMs, force],
  )
  if (taken.length === 0) {
    const [row] = await query<{ owner: Owner; epoch: number }>('select owner, epoch from pawl.lock where name = $1', [
      key,
    ])
    throw ownedError(row ? { ...row.owner, epoch: row.epoch } : newOwner(0))
  }
  const renew = (): Promise<unknown> =>
    query(
      `update pawl.lock set until = clock_timestamp() + $3 * interval '1 ms' where name = $1 and holder = $2`,
      [key, holder, leaseMs],
      { ms: leaseMs / 4 },
    ).catch(() => {})
  const beat = setInterval(() => void renew(), leaseMs / 4)
  return {
    async release() {
      clearInterval(beat)
      await query('delete from pawl.lock where name = $1 and holder = $2', [key, holder], { ms: leaseMs / 4 }).catch(
        () => {},
      )
    },
  }
}
