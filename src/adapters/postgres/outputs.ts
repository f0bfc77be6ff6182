import * as fs from 'node:fs'
import { join } from 'node:path'
import { maxOutputBytes, startAt } from '../stores/shared/values.ts'
import type { Sql } from './sql.ts'

const logFolder = 'attempts'
const isLog = (name: string): boolean => /^[^/\\]+\.log$/.test(name)
const chunkBytes = 1 << 18

/**
 * Copies what processes print into the database, so that it can be read elsewhere while they run. `copied` has the length of each
 * log that is there already. A log that became content is left out.
 */
export function createPump(sql: Pick<Sql, 'query'>, run: string, folder: () => string | undefined) {
  const copied = new Map<string, number>()
  const adopted = new Set<string>()
  let running: Promise<void> = Promise.resolve()

  async function copyAll(): Promise<void> {
    const path = folder()
    if (path === undefined) return
    for (const name of fs.readdirSync(join(path, logFolder)).filter(isLog)) {
      if (!adopted.has(name)) await copy(name, join(path, logFolder, name))
    }
  }

  async function copy(name: string, path: string): Promise<void> {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants
    const fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stat = fs.fstatSync(fd)
      if (!stat.isFile()) return
      for (let at = copied.get(name) ?? 0; at < stat.size && !adopted.has(name); ) {
        const bytes = Buffer.alloc(Math.min(chunkBytes, stat.size - at))
        const length = fs.readSync(fd, bytes, 0, bytes.length, at)
        if (length === 0) return
        await sql.query(
          'insert into pawl.output (run, name, at, bytes) values ($1, $2, $3, $4) on conflict do nothing',
          [run, name, at, bytes.subarray(0, length)],
        )
        at += length
        copied.set(name, at)
      }
    } finally {
      fs.closeSync(fd)
    }
  }

  return {
    /** Copies what is new. Calls follow one another. Never rejects: logs are no part of the journal. */
    copy(): Promise<void> {
      running = running.then(() => copyAll().catch(() => {}))
      return running
    },
    /** The log is content now, so its copy is removed. */
    async adopt(inside: string): Promise<void> {
      const name = inside.replace(`${logFolder}/`, '')
      if (name === inside || !isLog(name)) return
      adopted.add(name)
      await running
      await sql.query('delete from pawl.output where run = $1 and name = $2', [run, name]).catch(() => {})
    },
  }
}

/** Returns the names of all logs, the last one written at the end. */
export async function listOutputs({ query }: Pick<Sql, 'query'>, run: string): Promise<readonly string[]> {
  const rows = await query<{ name: string }>(
    `select name from (
       select name, max(written) as written from pawl.output where run = $1 group by name
       union all select substr(path, $3), written from pawl.content where run = $1 and path like $2
     ) logs group by name order by max(written), name`,
    [run, `${logFolder}/%.log`, logFolder.length + 2],
  )
  return rows.map(({ name }) => name).filter(isLog)
}

export async function readOutput({ query }: Pick<Sql, 'query'>, run: string, name: string, from: number) {
  if (!isLog(name)) return undefined
  const [size] = await query<{ length: string | null }>(
    `select coalesce(
       (select octet_length(bytes) from pawl.content where run = $1 and path = $3),
       (select max(at + octet_length(bytes)) from pawl.output where run = $1 and name = $2)) as length`,
    [run, name, `${logFolder}/${name}`],
  )
  if (size?.length == null) return undefined
  const start = startAt(from, Number(size.length))
  const [row] = await query<{ bytes: Buffer | null; first: string | null }>(
    `select coalesce(
       (select substr(bytes, $3 + 1, $4) from pawl.content where run = $1 and path = $5),
       (select string_agg(bytes, '' order by at) from pawl.output
        where run = $1 and name = $2 and at < $3 + $4 and at + octet_length(bytes) > $3)) as bytes,
       case when exists (select 1 from pawl.content where run = $1 and path = $5) then $3::bigint
       else (select min(at) from pawl.output where run = $1 and name = $2 and at + octet_length(bytes) > $3) end as first`,
    [run, name, start, maxOutputBytes, `${logFolder}/${name}`],
  )
  const bytes = row?.bytes ?? Buffer.alloc(0)
  const skipped = row?.first == null ? 0 : start - Number(row.first)
  return { bytes: bytes.subarray(skipped, skipped + maxOutputBytes), from: start }
}
