import { rmSync } from 'node:fs'
import { PawlError } from '../../contract/exit.ts'
import type { Finding, FrozenText, RunEntry, Slot, StoredRun } from '../../ports/run-store.ts'
import { readPlain } from '../stores/shared/held-folder.ts'
import { findRefs, hash } from '../stores/shared/values.ts'
import { openContent, orNotSaved } from './content.ts'
import { followRun, placeOf, readPages, readRun, type Scan } from './events.ts'
import { type Here, holdRun, readOwner } from './held-run.ts'
import { listNotes, postNote } from './notes.ts'
import { listOutputs, readOutput } from './outputs.ts'
import { type Sql, toJson } from './sql.ts'

/** Opens a run without reading anything. */
export function openStoredRun(sql: Sql, entry: RunEntry, here: Here): StoredRun {
  const { id, address } = entry
  const { query } = sql
  const content = openContent(sql, id)
  /** Output that this process has just written is there for its own readers. */
  const copied = async (): Promise<void> => here.pumps.get(id)?.()
  return {
    entry,
    content: { ...content, flush: async () => {} },
    requests: () => readRequests(sql, entry),
    amend: (text) => amendRequest(sql, id, text),
    owner: () => readOwner(sql, id),
    read: (options) => readRun(sql, id, options),
    follow: (seq, signal) => followRun(sql, id, seq, signal),
    place: async (seq) => placeOf(id, seq),
    post: (note) => postNote(sql, id, note),
    async outputs() {
      await copied()
      return listOutputs(sql, id)
    },
    async output(name, from) {
      await copied()
      return readOutput(sql, id, name, from)
    },
    async kept(slot) {
      const [row] = await query<{ value: unknown }>(`select ${column(slot)} as value from pawl.run where id = $1`, [id])
      return row?.value ?? undefined
    },
    async keep(slot, value) {
      const json = value === undefined ? null : toJson(value)
      await query(`update pawl.run set ${column(slot)} = $2 where id = $1`, [id, json]).catch(() => {})
      sql.listener.ring(id)
    },
    async isWhole() {
      const [row] = await query<{ whole: boolean }>('select whole from pawl.run where id = $1', [id])
      return row?.whole ?? false
    },
    async attach(name, path) {
      await orNotSaved(name, () =>
        query(
          `insert into pawl.content (run, path, sha256, bytes) values ($1, $2, $3, $4)
           on conflict (run, path) do update set sha256 = excluded.sha256, bytes = excluded.bytes`,
          [id, name, hash(readPlain(path)), readPlain(path)],
        ),
      )
      rmSync(path)
    },
    where: (log) => `${address}, ${log}`,
    size: () => readSize(sql, id),
    check: () => checkRun(sql, id),
    hold: (options) => holdRun(sql, id, here, options),
  }
}

const columns: Readonly<Record<Slot, string>> = {
  result: 'result',
  card: 'card',
  notified: 'notified',
  state: 'state',
}
const column = (slot: Slot): string => columns[slot]

/** An amendment counts once a note names it: one without a note is left over from a process that was killed. */
async function readRequests(sql: Sql, { id, address }: RunEntry): Promise<readonly [FrozenText, ...FrozenText[]]> {
  const rows = await sql.query<{ n: number; text: string; sha256: string }>(
    `select n, text, sha256 from pawl.request r where run = $1 and (n = 0 or exists (
       select 1 from pawl.note where run = $1 and note->>'say' = 'amend' and note->'request'->>'path' = 'request.' || n || '.json'))
     order by n`,
    [id],
  )
  const texts = rows.map(({ n, text, sha256 }): FrozenText => {
    const where = `${address}, request ${n + 1}`
    if (hash(text) === sha256) return { text, sha256, where }
    throw new PawlError(30, `${where} was changed after it was recorded`, 'Restore it, or start a new run.')
  })
  const [first, ...rest] = texts
  if (!first) throw new PawlError(30, `${address} has no request`, 'The run cannot be resumed without it.')
  return [first, ...rest]
}

/** Stores the request and a copy that a note can name as content. */
async function amendRequest(sql: Sql, run: string, text: string) {
  const bytes = Buffer.from(text)
  const sha256 = hash(bytes)
  const n = await orNotSaved('the changed request', () =>
    sql.transaction(async (query) => {
      await query('select 1 from pawl.lease where run = $1 for update', [run])
      const [row] = await query<{ n: number }>(
        'insert into pawl.request (run, n, text, sha256) select $1, max(n) + 1, $2, $3 from pawl.request where run = $1 returning n',
        [run, text, sha256],
      )
      await query('insert into pawl.content (run, path, sha256, bytes) values ($1, $2, $3, $4)', [
        run,
        `request.${row!.n}.json`,
        sha256,
        bytes,
      ])
      return row!.n
    }),
  )
  return { path: `request.${n}.json`, sha256, bytes: bytes.length }
}

async function readSize({ query }: Sql, run: string): Promise<number> {
  const [row] = await query<{ size: string }>(
    `select coalesce((select sum(octet_length(bytes)) from pawl.content where run = $1), 0)
       + coalesce((select sum(octet_length(bytes)) from pawl.output where run = $1), 0)
       + coalesce((select sum(pg_column_size(line)) from pawl.event where run = $1), 0)
       + coalesce((select sum(octet_length(text)) from pawl.request where run = $1), 0)
       + coalesce((select octet_length(view) from pawl.view where run = $1), 0) as size`,
    [run],
  )
  return Number(row!.size)
}

/** Checks every row. The server compares the bytes of content with their hashes. */
async function checkRun(sql: Sql, run: string): Promise<readonly Finding[]> {
  const rows = await sql.query<{ path: string; sha256: string; intact: boolean }>(
    `select path, sha256, encode(sha256(bytes), 'hex') = sha256 as intact from pawl.content where run = $1`,
    [run],
  )
  const stored = new Set(rows.filter(({ intact }) => intact).map(({ path, sha256 }) => `${sha256} ${path}`))
  const findings: Finding[] = []
  const scan: Scan = { seq: 0, epoch: 0, unknown: 0 }
  try {
    for await (const page of readPages(sql, run, scan)) {
      for (const { seq, ...event } of page) {
        for (const { path, sha256 } of findRefs(event)) {
          if (stored.has(`${sha256} ${path}`)) continue
          findings.push({ seq, says: `event ${seq} refers to ${path}, which is missing or changed` })
        }
      }
    }
  } catch (error) {
    findings.push({ says: (error as Error).message })
  }
  if (scan.unknown) findings.push({ says: `${scan.unknown} events are of a type that this version does not know` })
  await listNotes(sql, run, 0).catch((error: Error) =>
    findings.push({ says: `a note cannot be read: ${error.message}` }),
  )
  return findings
}
