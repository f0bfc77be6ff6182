import { contentPath } from '../../contract/content-path.ts'
import type { Ref } from '../../contract/values.ts'
import { NotSavedError } from '../../ports/journal.ts'
import type { Content } from '../../ports/run-store.ts'
import { hash } from '../stores/shared/values.ts'
import type { Sql } from './sql.ts'

/** Content of a run, one row each. A row that was written is safe: there is nothing to flush. */
export function openContent({ query }: Pick<Sql, 'query'>, run: string): Content {
  return {
    async put(name, content) {
      const { ref, bytes } = toRow(name, content)
      await orNotSaved(ref.path, () =>
        query(
          `insert into pawl.content (run, path, sha256, bytes) values ($1, $2, $3, $4)
           on conflict (run, path) do update set sha256 = excluded.sha256, bytes = excluded.bytes
           where pawl.content.sha256 <> excluded.sha256`,
          [run, ref.path, ref.sha256, bytes],
        ),
      )
      return ref
    },
    async get({ path, sha256 }) {
      const [row] = await query<{ bytes: Uint8Array }>(
        'select bytes from pawl.content where run = $1 and path = $2 and sha256 = $3',
        [run, path, sha256],
      )
      if (!row) throw Object.assign(new Error(`${path} of run ${run} is not stored here`), { code: 'ENOENT' })
      if (hash(row.bytes) !== sha256) throw new Error(`${path} of run ${run} does not match its hash`)
      return row.bytes
    },
    async has({ path, sha256 }) {
      const rows = await query('select 1 from pawl.content where run = $1 and path = $2 and sha256 = $3', [
        run,
        path,
        sha256,
      ])
      return rows.length > 0
    },
  }
}

export function toRow(name: string, content: string | Uint8Array): { readonly ref: Ref; readonly bytes: Buffer } {
  const bytes = Buffer.from(content as Uint8Array)
  const sha256 = hash(bytes)
  return { ref: { path: contentPath(sha256, name), sha256, bytes: bytes.length }, bytes }
}

export async function orNotSaved<T>(what: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw new NotSavedError(`cannot save ${what}: ${(error as Error).message}`, { cause: error })
  }
}
