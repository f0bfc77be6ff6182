import { PawlError } from '../../contract/exit.ts'
import type { Query } from './query.ts'

/**
 * The tables, one step per released version. A step never changes: a later one does. There are no foreign keys, because each
 * event would then lock the row of its run.
 *
 * - `run`: what a list shows. `card`, `result`, `notified` and `state` are derived from the events.
 * - `lease`: the one writer of a run. Narrow, because its row is locked with every event.
 * - `event`: the journal. `line` is a line of progress.ndjson.
 * - `output`: what processes print, while they print it. Their complete logs are content.
 * - `turn`: when a queued run wants to be executed next; `infinity` if it waits for a person. The truth of the queue: a job of
 *   pg-boss only brings a turn to a worker. `version` counts the wake-ups, so that none is lost while a turn ends.
 * - `worker`: the workers that live, for people.
 */
const steps: readonly string[] = [
  `
  create table pawl.run (
    id text primary key,
    mode text not null,
    name text not null,
    workspace text not null,
    created text not null,
    listed boolean not null,
    queued boolean not null,
    trusted text,
    whole boolean not null default true,
    token uuid not null,
    card jsonb,
    result jsonb,
    notified jsonb,
    state jsonb
  ) with (fillfactor = 70);
  create index run_created on pawl.run (created desc, id desc) where listed;
  create index run_workspace on pawl.run (workspace, created desc, id desc) where listed;

  create table pawl.lease (
    run text primary key,
    epoch int not null,
    holder uuid,
    owner jsonb,
    until timestamptz,
    lived_ms bigint not null default 0,
    lived_seq int not null default 0
  ) with (fillfactor = 50);

  create table pawl.request (run text, n int, text text not null, sha256 text not null, primary key (run, n));
  create table pawl.event (run text, seq int, line jsonb not null, primary key (run, seq));
  create table pawl.view (run text primary key, key text not null, seq int not null, view text not null);
  create table pawl.note (run text, id int, key uuid not null, note jsonb not null, primary key (run, id), unique (run, key));
  create table pawl.content (
    run text, path text, sha256 text not null, bytes bytea not null, written timestamptz not null default clock_timestamp(),
    primary key (run, path)
  );
  create table pawl.output (
    run text, name text, at bigint, bytes bytea not null, written timestamptz not null default clock_timestamp(),
    primary key (run, name, at)
  );
  create table pawl.lock (
    name text primary key, holder uuid not null, owner jsonb not null, epoch int not null, until timestamptz not null
  );
  create table pawl.turn (
    run text primary key,
    mode text not null,
    priority int not null default 0,
    due timestamptz not null,
    since timestamptz not null default clock_timestamp(),
    version int not null default 0,
    tries int not null default 0,
    reopen jsonb,
    problem text
  );
  create index turn_due on pawl.turn (due);
  create table pawl.worker (
    id uuid primary key, owner jsonb not null, concurrency int not null, active int not null, seen timestamptz not null
  );
  `,
]

type Access = {
  ask(text: string): Promise<readonly { readonly version?: number }[]>
  transaction<Result>(body: (query: Query) => Promise<Result>): Promise<Result>
}

/** Chosen at random, so that no other program on this server uses the same lock. */
const lockKey = '7203451926118422017'

/**
 * Creates or updates the tables. Processes that start at the same time wait for one another: the lock belongs to the transaction,
 * so it also works through a pooler and ends with the process.
 */
export async function migrate({ ask, transaction }: Access): Promise<void> {
  if ((await readVersion(ask)) === steps.length) return
  await transaction(async (query) => {
    await query(`select pg_advisory_xact_lock(${lockKey})`)
    await createSchemas(query)
    await query('create table if not exists pawl.meta (version int not null)')
    const [row] = await query<{ version: number }>('select version from pawl.meta')
    const version = row?.version ?? 0
    if (version > steps.length) throw newerError(version)
    for (const step of steps.slice(version)) await query(step)
    await query('delete from pawl.meta')
    await query('insert into pawl.meta values ($1)', [steps.length])
  })
}

/** `pawl_queue` belongs to pg-boss, which would make it too, but not when two processes do so at once. */
const schemas = ['pawl', 'pawl_queue']

/**
 * Reads the catalog before it creates anything. Another process may have made a schema while this one waited for the lock, and
 * `if not exists` alone would believe the cache of this connection, which says that it is missing.
 */
async function createSchemas(query: Query): Promise<void> {
  const found = await query<{ name: string }>('select nspname as name from pg_namespace where nspname = any($1)', [
    schemas,
  ])
  for (const schema of schemas) if (!found.some(({ name }) => name === schema)) await query(`create schema ${schema}`)
}

const missing = new Set(['42P01', '3F000']) // no such table, no such schema

async function readVersion(ask: Access['ask']): Promise<number> {
  try {
    const version = (await ask('select version from pawl.meta'))[0]?.version ?? 0
    if (version > steps.length) throw newerError(version)
    return version
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as { code?: string }
    if (code !== undefined && missing.has(code)) return 0
    throw error
  }
}

const newerError = (version: number): PawlError =>
  new PawlError(
    30,
    `the database has tables of version ${version}, which a newer version of this program made; this one knows ${steps.length}`,
    'Update this program on this machine.',
  )
