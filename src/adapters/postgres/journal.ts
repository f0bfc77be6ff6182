import type { Draft, LoopEvent } from '../../contract/event.ts'
import { fromLine, toLine } from '../../contract/line.ts'
import { type Journal, NotSavedError, StaleWriterError } from '../../ports/journal.ts'
import { maxLineBytes } from '../stores/shared/values.ts'
import { readPages, readView, type Scan } from './events.ts'
import { type Sql, toJson } from './sql.ts'

export type PostgresJournalOptions = {
  readonly run: string
  readonly epoch: number
  /** The key of this hold: a later owner has another one. */
  readonly holder: string
  /** Fires when the lease is lost; nothing is tried again then. */
  readonly lost: AbortSignal
  /** The time that a crashed owner worked after its last event, as far as it is known. */
  readonly lived: { readonly seq: number; readonly ms: number } | undefined
  readonly onRepair: (what: string) => void
  readonly onAppend: (seq: number) => void
  /** Called when the run turns out to belong to another owner. */
  readonly onStale: () => void
}

/**
 * Locks the lease and adds the event in one statement: whoever takes the run over waits for it, or it finds another holder. The
 * writer numbers its events, so the same statement again after a lost acknowledgement finds its own row. An event whose predecessor is
 * missing is refused: the server has lost it, as a standby may that takes over too early.
 */
const appendStatement = `
  insert into pawl.event (run, seq, line)
  select $1, $3::int, $4 from pawl.lease where run = $1 and holder = $2
    and ($3::int = 1 or exists (select 1 from pawl.event where run = $1 and seq = $3::int - 1))
  for share of lease
  on conflict do nothing returning 1`

/** Says why nothing was added: the run belongs to another owner, or an event with this number is there, the same one or not. */
const explainStatement = `
  select exists (select 1 from pawl.lease where run = $1 and holder = $2) as held,
    (select line = $4::jsonb from pawl.event where run = $1 and seq = $3::int) as same`

/** The journal of a run that this process holds. Every event is safe from power loss as soon as `append` resolves. */
export function openPostgresJournal(
  { query }: Pick<Sql, 'query'>,
  options: PostgresJournalOptions,
): Journal & { close(): void } {
  const { run, epoch, holder, lost, lived, onRepair } = options
  /** Events of unknown types are not passed to the writer, so `seen` may be lower than `stored`. */
  let [stored, seen] = [0, 0]
  let isLoaded = false
  let last: { readonly draft: string; readonly event: LoopEvent } | undefined
  let broken: NotSavedError | undefined

  return {
    async load(key) {
      const saved = await readView({ query }, run, (savedKey) => savedKey === key)
      seen = saved?.seq ?? 0
      const scan: Scan = { seq: seen, epoch: saved?.last.epoch ?? 0, unknown: 0 }
      return { snapshot: saved?.view, events: replay(scan), lostMs: () => (lived?.seq === stored ? lived.ms : 0) }
    },
    append: (draft) => guarded(() => (draft.seq === seen + 1 ? addEvent(draft) : findStored(draft))),
    sync: () => guarded(async () => {}),
    async keep(key, seq, view) {
      if (broken) return
      await query(
        `insert into pawl.view (run, key, seq, view) select $1, $3, $4, $5 from pawl.lease where run = $1 and holder = $2
         on conflict (run) do update set key = excluded.key, seq = excluded.seq, view = excluded.view`,
        [run, holder, key, seq, JSON.stringify(view)],
      ).catch(() => {}) // Only an optimization: the events are all there.
    },
    close() {
      broken ??= new NotSavedError(`this process no longer holds run ${run}`)
    },
  }

  async function* replay(scan: Scan): AsyncGenerator<LoopEvent> {
    for await (const page of readPages({ query }, run, scan)) yield* page
    if (scan.unknown) onRepair(`skipped ${scan.unknown} events of a type that this version does not know`)
    stored = scan.seq
    seen = scan.seq - scan.unknown
    isLoaded = true
  }

  async function addEvent(draft: Draft): Promise<LoopEvent> {
    if (!isLoaded) throw new Error('the journal must be loaded to its end before appending')
    const text = JSON.stringify(draft)
    const seq = stored + 1
    const event: LoopEvent = { ...draft, seq, epoch }
    const line = toLine(event, run)
    const json = toJson(line)
    const bytes = Buffer.byteLength(json)
    if (bytes > maxLineBytes) throw new Error(`event ${seq} has ${bytes} bytes; store its content in a file instead`)
    await addRow(seq, json)
    stored = seq
    seen = seq
    const kept = json === JSON.stringify(line) ? event : fromLine(JSON.parse(json))!
    last = { draft: text, event: kept }
    options.onAppend(seq)
    return kept
  }

  async function addRow(seq: number, json: string): Promise<void> {
    const values = [run, holder, seq, json]
    const added = await query(appendStatement, values, { signal: lost })
    if (added.length > 0) return
    const [found] = await query<{ held: boolean; same: boolean | null }>(explainStatement, values, { signal: lost })
    if (!found!.held) {
      options.onStale()
      throw new StaleWriterError('another process has taken over this run')
    }
    if (found!.same) return
    const isThere = found!.same !== null
    throw new Error(isThere ? `another event ${seq} is already there` : `event ${seq - 1} is not there any more`)
  }

  function findStored(draft: Draft): LoopEvent {
    if (last?.draft === JSON.stringify(draft)) return last.event
    throw new Error(`event ${draft.seq} does not follow event ${seen}`)
  }

  /** After one failure, every call fails, as in every journal. */
  async function guarded<T>(action: () => T | Promise<T>): Promise<T> {
    if (broken) throw broken
    try {
      return await action()
    } catch (error) {
      const { message } = error as Error
      broken ??=
        error instanceof NotSavedError
          ? error
          : new NotSavedError(`cannot save run ${run}: ${message}`, { cause: error })
      throw broken
    }
  }
}
