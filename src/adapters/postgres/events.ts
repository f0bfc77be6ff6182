import type { LoopEvent } from '../../contract/event.ts'
import { fromLine, type Line } from '../../contract/line.ts'
import { CorruptJournalError } from '../../ports/journal.ts'
import type { Pages, Reading } from '../../ports/run-store.ts'
import { checkVersion, pageSize } from '../stores/shared/values.ts'
import type { Sql } from './sql.ts'

/** The position of a reader: the last row it has read, and how many rows it did not know. */
export type Scan = { seq: number; epoch: number; unknown: number }

type EventRow = { readonly seq: number; readonly line: Line }

/** Yields the events after `scan.seq` in pages, checks each row and moves `scan` on. Pages may be empty if all their rows are unknown. */
export async function* readPages(
  { query }: Pick<Sql, 'query'>,
  run: string,
  scan: Scan,
  upTo = 2 ** 31 - 1,
): AsyncGenerator<readonly LoopEvent[]> {
  for (;;) {
    const rows = await query<EventRow>(
      'select seq, line from pawl.event where run = $1 and seq > $2 and seq <= $3 order by seq limit $4',
      [run, scan.seq, upTo, pageSize],
    )
    if (rows.length > 0) yield rows.flatMap((row) => readRow(run, row, scan) ?? [])
    if (rows.length < pageSize) return
  }
}

function readRow(run: string, { seq, line }: EventRow, scan: Scan): LoopEvent | undefined {
  const place = placeOf(run, seq)
  if (seq !== scan.seq + 1) throw new CorruptJournalError({ place, why: `event ${seq} follows event ${scan.seq}` })
  if (seq === 1) checkVersion(line, place)
  if (line.seq !== seq || line.run_id !== run)
    throw new CorruptJournalError({ place, why: 'the line belongs to another event' })
  if (line.epoch < scan.epoch)
    throw new CorruptJournalError({ place, why: `epoch ${line.epoch} follows epoch ${scan.epoch}` })
  const event = parse(line, place)
  scan.seq = seq
  scan.epoch = line.epoch
  if (!event) scan.unknown++
  return event
}

function parse(line: Line, place: string): LoopEvent | undefined {
  try {
    return fromLine(line)
  } catch (error) {
    throw new CorruptJournalError({ place, why: describeError(error as Error) })
  }
}

/** The first thing that a schema found, in one line. */
function describeError(
  error: Error & { readonly issues?: readonly { path: PropertyKey[]; message: string }[] },
): string {
  const [issue] = error.issues ?? []
  return issue ? `${issue.path.join('.')}: ${issue.message}` : error.message
}

export const placeOf = (run: string, seq: number): string => `table pawl.event, run ${run}, seq ${seq}`

export type View = { readonly key: string; readonly seq: number; readonly view: unknown; readonly last: LoopEvent }

/** Returns the saved view, if its key matches and its last event is still there. */
export async function readView(
  { query }: Pick<Sql, 'query'>,
  run: string,
  fits: (key: string, seq: number) => boolean,
): Promise<View | undefined> {
  const [row] = await query<{ key: string; seq: number; view: string; line: Line }>(
    'select v.key, v.seq, v.view, e.line from pawl.view v join pawl.event e on e.run = v.run and e.seq = v.seq where v.run = $1',
    [run],
  )
  if (!row || !fits(row.key, row.seq)) return undefined
  const last = parse(row.line, placeOf(run, row.seq))
  return last && { key: row.key, seq: row.seq, view: JSON.parse(row.view), last }
}

export async function readRun(
  sql: Pick<Sql, 'query'>,
  run: string,
  { snapshot: fits, upTo = 2 ** 31 - 1 }: { readonly snapshot?: (key: string) => boolean; readonly upTo?: number } = {},
): Promise<Reading> {
  const saved = fits && (await readView(sql, run, (key, seq) => fits(key) && seq <= upTo))
  const from = (): Scan => ({ seq: saved?.seq ?? 0, epoch: saved?.last.epoch ?? 0, unknown: 0 })
  const events: Pages = { [Symbol.asyncIterator]: () => withoutEmpty(readPages(sql, run, from(), upTo)) }
  return { snapshot: saved?.view, last: saved?.last, events }
}

const pollMs = 1000

/** Yields events after `seq`, also future ones. A notification wakes it; without one it looks every second. */
export async function* followRun(
  sql: Pick<Sql, 'query' | 'listener'>,
  run: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly LoopEvent[]> {
  const scan: Scan = { seq: after, epoch: 0, unknown: 0 }
  const rung = watch()
  try {
    while (!signal.aborted) {
      rung.heard = false
      for await (const page of withoutEmpty(readPages(sql, run, scan))) {
        yield page
        if (signal.aborted) return
      }
      if (!rung.heard) await sql.listener.wait(run, pollMs, signal)
    }
  } finally {
    rung.off()
  }

  /** Remembers a notification that comes while rows are read. */
  function watch(): { heard: boolean; off(): void } {
    const state = { heard: false, off: () => {} }
    state.off = sql.listener.on(run, () => {
      state.heard = true
    })
    return state
  }
}

async function* withoutEmpty(pages: AsyncIterable<readonly LoopEvent[]>): AsyncGenerator<readonly LoopEvent[]> {
  for await (const page of pages) if (page.length > 0) yield page
}
