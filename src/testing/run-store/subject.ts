import type { Draft, LoopEvent } from '../../contract/event.ts'
import type { HeldRun, NewRun, Pages, RunStore, StoredRun } from '../../ports/run-store.ts'

export type StoreUnderTest = {
  /** Opens the same store again, like another process. */
  open(): Promise<RunStore>
  /** The workspace folder of the runs. */
  readonly workspace: string
}
export type Check = (subject: StoreUnderTest) => Promise<void>

let made = 0

/** Returns a new run, created later than the ones before it. */
export function newRun({ workspace }: StoreUnderTest, more: Partial<NewRun> = {}): NewRun {
  made++
  const created = new Date(Date.UTC(2026, 0, 1) + made * 1000).toISOString()
  const entry = { id: `r${made}`, mode: 'any', name: 'build', workspace, created }
  return { entry, listed: true, freeze: async () => ({ request: requestJson(entry) }), ...more }
}

/** Formats the part of an envelope that a store may read. */
export const requestJson = ({ id, ...entry }: NewRun['entry']): string =>
  `${JSON.stringify({ contract_version: 2, run_id: id, ...entry, with: {} }, null, 2)}\n`

export async function create(subject: StoreUnderTest, more: Partial<NewRun> = {}): Promise<StoredRun> {
  return (await subject.open()).create(newRun(subject, more))
}

/** Opens the same run like another process. */
export async function openAgain({ open }: StoreUnderTest, { entry }: StoredRun): Promise<StoredRun> {
  return (await (await open()).open(entry.id))!
}

/** Holds a run and loads its journal, so that it can be written. */
export async function hold(run: StoredRun, options: { readonly takeOver?: boolean } = {}): Promise<HeldRun> {
  const held = await run.hold({ ...options, onRepair: () => {} })
  for await (const _ of (await held.journal.load('k')).events);
  return held
}

const stamp = (seq: number) => ({ seq, at: Date.UTC(2026, 0, 1) + seq, ms: seq, task: null, attempt: null })
export const resumed = (seq: number): Draft => ({ type: 'run-resumed', ...stamp(seq) })
export const interrupted = (seq: number): Draft => ({ type: 'run-interrupted', by: 'SIGINT', ...stamp(seq) })
export const started = (seq = 1): Draft => ({
  type: 'run-started',
  journal: 2,
  policy: 'p',
  version: 1,
  caps: { tasks: 3 },
  pins: { request: 'abc' },
  ...stamp(seq),
})
export const noted = (seq: number, id: number): Draft => ({
  type: 'note-received',
  note: { id, by: 'ann', say: 'pause' },
  ...stamp(seq),
})

/** Appends this many events and syncs them. */
export async function write(held: HeldRun, count: number): Promise<LoopEvent[]> {
  const stored = [await held.journal.append(started())]
  for (let seq = 2; seq <= count; seq++) stored.push(await held.journal.append(resumed(seq)))
  await held.journal.sync()
  return stored
}

export async function all(pages: Pages): Promise<LoopEvent[]> {
  const events: LoopEvent[] = []
  for await (const page of pages) events.push(...page)
  return events
}

export const numbers = (events: readonly LoopEvent[]): number[] => events.map(({ seq }) => seq)

/** Drops undefined fields, which are not stored. */
export const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

export const decodeText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
