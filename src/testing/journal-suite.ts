import assert from 'node:assert/strict'
import type { Draft, LoopEvent } from '../contract/event.ts'
import { type Journal, NotSavedError } from '../ports/journal.ts'

export type JournalUnderTest = {
  /** Opens the same journal again, like a new process after a crash. */
  open(): Promise<Journal>
  /** Lets another owner take over the run; earlier writers must notice. Absent if there can be only one process. */
  takeOver?(): Promise<Journal>
}

export type Case = { readonly name: string; readonly check: () => Promise<void> }

/** The contract of every journal. Run each case with any test function. */
export function journalSuite(make: () => Promise<JournalUnderTest>): Case[] {
  const suite: [string, (subject: JournalUnderTest) => Promise<void>][] = [
    ['a new journal is empty', async ({ open }) => assert.deepEqual(await loadAll(await open()), [])],
    ['appended events come back unchanged and in order after a restart', comesBack],
    ['every kind of event comes back unchanged', allKinds],
    ['a snapshot with the same key replaces the events before it', snapshotReplaces],
    ['a snapshot with another key is ignored', snapshotIgnored],
    ['events added after a snapshot follow it', tailFollows],
    ['only the next number is accepted, and nothing after a rejected one', nextOnly],
    ['appending the same event again returns the stored one', retried],
    ['an event of more than 4 KiB is rejected, and the journal stays intact', tooLong],
    ['a writer whose run was taken over can append nothing', staleWriter],
  ]
  return suite.map(([name, check]) => ({ name, check: async () => check(await make()) }))
}

export async function loadAll(journal: Journal, key = 'k'): Promise<LoopEvent[]> {
  const { events } = await journal.load(key)
  return collect(events)
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const stamp = (seq: number) => ({ seq, at: Date.UTC(2026, 0, 1) + seq, ms: seq, task: null, attempt: null })
const resumed = (seq: number): Draft => ({ type: 'run-resumed', ...stamp(seq) })
const started: Draft = {
  type: 'run-started',
  journal: 2,
  policy: 'p',
  version: 1,
  caps: { tasks: 3 },
  pins: { request: 'abc' },
  origins: { tasks: 'flag' },
  ...stamp(1),
}

async function comesBack({ open }: JournalUnderTest): Promise<void> {
  const first = await open()
  await loadAll(first)
  const stored = [await first.append(started), await first.append(resumed(2))]
  await first.sync()
  assert.deepEqual(plain(await loadAll(await open())), plain(stored))
  const again = await open()
  const before = await loadAll(again)
  await again.append(resumed(before.length + 1))
  assert.equal((await loadAll(await open())).length, 3)
}

async function allKinds({ open }: JournalUnderTest): Promise<void> {
  const journal = await open()
  await loadAll(journal)
  const stored: LoopEvent[] = []
  for (const [index, draft] of everyKind.entries()) stored.push(await journal.append({ ...draft, seq: index + 1 }))
  assert.deepEqual(plain(await loadAll(await open())), plain(stored))
}

async function snapshotReplaces({ open }: JournalUnderTest): Promise<void> {
  const journal = await open()
  await loadAll(journal)
  await journal.append(started)
  await journal.append(resumed(2))
  await journal.sync()
  await journal.keep('k', 2, { state: { seq: 2 }, memo: null })
  const { snapshot, events } = await (await open()).load('k')
  assert.deepEqual(snapshot, { state: { seq: 2 }, memo: null })
  assert.deepEqual(await collect(events), [])
}

async function snapshotIgnored({ open }: JournalUnderTest): Promise<void> {
  const journal = await open()
  await loadAll(journal)
  await journal.append(started)
  await journal.keep('k', 1, { state: { seq: 1 }, memo: null })
  const { snapshot, events } = await (await open()).load('another version')
  assert.equal(snapshot, undefined)
  assert.equal((await collect(events)).length, 1)
}

async function tailFollows({ open }: JournalUnderTest): Promise<void> {
  const journal = await open()
  await loadAll(journal)
  await journal.append(started)
  await journal.keep('k', 1, { state: { seq: 1 }, memo: null })
  await journal.append(resumed(2))
  assert.deepEqual(
    (await loadAll(await open())).map(({ seq }) => seq),
    [2],
  )
}

async function nextOnly({ open }: JournalUnderTest): Promise<void> {
  for (const seq of [0, 1, 3, 4]) {
    const journal = await open()
    const before = await loadAll(journal)
    if (before.length === 0) await journal.append(started)
    await assert.rejects(journal.append(resumed(seq)), isNotSaved)
    await assert.rejects(journal.append(resumed(2)), isNotSaved)
    assert.equal((await loadAll(await open())).length, 1)
  }
}

async function retried({ open }: JournalUnderTest): Promise<void> {
  const journal = await open()
  await loadAll(journal)
  await journal.append(started)
  const stored = await journal.append(resumed(2))
  assert.deepEqual(await journal.append(resumed(2)), stored)
  await journal.append(resumed(3))
  assert.equal((await loadAll(await open())).length, 3)
  await assert.rejects(journal.append({ ...resumed(3), ms: 99 }), isNotSaved)
}

const isNotSaved = (error: unknown): boolean => error instanceof NotSavedError

async function tooLong({ open }: JournalUnderTest): Promise<void> {
  const journal = await open()
  await loadAll(journal)
  await journal.append(started)
  await assert.rejects(journal.append({ type: 'run-interrupted', by: 'x'.repeat(5000), ...stamp(2) }))
  assert.equal((await loadAll(await open())).length, 1)
}

async function staleWriter({ open, takeOver }: JournalUnderTest): Promise<void> {
  if (!takeOver) return
  const old = await open()
  await loadAll(old)
  await old.append(started)
  const heir = await takeOver()
  await loadAll(heir)
  await assert.rejects(old.append(resumed(2)), { name: 'StaleWriterError' })
  const added = await heir.append(resumed(2))
  assert.equal(added.epoch, 2)
}

/** Drops undefined fields, which are not written. */
const plain = (events: readonly LoopEvent[]): unknown => JSON.parse(JSON.stringify(events))

const ref = { path: 'artifacts/a', sha256: 'f'.repeat(64), bytes: 3 }
const usage = { tokens: null, costUsd: 0.5, estimated: true } as const
const inTask = { ...stamp(0), task: 'S1', attempt: 2 }
const inChore = { ...stamp(0), task: 'baseline', chore: true, attempt: 0 } as const
const question = { id: 'q1', topic: { code: 'more_attempts', count: 2 }, choices: ['yes', 'no'], about: ref }

/** One event of every phase and status that a journal can hold. */
export const everyKind: readonly Draft[] = [
  started,
  resumed(2),
  { type: 'run-interrupted', by: 'SIGINT', ...stamp(0) },
  { type: 'run-reopened', by: 'ann', caps: { tokens: 9 }, ...stamp(0) },
  { type: 'task-picked', picked: { id: 'baseline', kind: 'chore' }, ...inChore },
  { type: 'task-picked', picked: { id: 'S1', kind: 'work', via: 'x', tried: 2, data: { a: [1, null] } }, ...inTask },
  { type: 'attempt-started', via: 'grok', ...inTask },
  ...(['ok', 'failed', 'unavailable'] as const).map((status): Draft => {
    return { type: 'call-ended', call: { key: 'k', via: 'v', status, usage, providerMs: 4, output: ref }, ...inTask }
  }),
  ...(['ok', 'failed', 'timed-out', 'interrupted', 'unavailable'] as const).map((status): Draft => {
    return { type: 'attempt-ended', outcome: { status, output: ref, detail: 'exit 1', retryAt: 5 }, ...inTask }
  }),
  ...(['passed', 'failed', 'unavailable'] as const).map((status): Draft => {
    return { type: 'verdict-reached', verdict: { status, score: 80.5, evidence: ref, data: 'x' }, ...inTask }
  }),
  ...(['done', 'failed', 'blocked', 'interrupted'] as const).map((as): Draft => {
    return { type: 'decision-made', decision: { do: 'settle', as }, by: 'policy', ...inTask }
  }),
  { type: 'decision-made', decision: { do: 'retry', afterMs: 150 }, by: 'policy', ...inTask },
  { type: 'decision-made', decision: { do: 'escalate', via: 'grok', grace: true }, by: 'tokens', ...inTask },
  { type: 'decision-made', decision: { do: 'failover', via: 'claude' }, by: 'policy', ...inTask },
  {
    type: 'decision-made',
    decision: { do: 'wait', until: 7, reason: { code: 'usage_limit' } },
    by: 'policy',
    ...inTask,
  },
  { type: 'decision-made', decision: { do: 'pause', question }, by: 'person', ...inTask },
  { type: 'decision-made', decision: { do: 'raise', caps: { costUsd: 2 } }, by: 'tokens', ...inTask },
  {
    type: 'decision-made',
    decision: { do: 'stop', ending: 'blocked', reason: { code: 'cap_spent', cap: 'tokens' } },
    by: 'policy',
    ...stamp(0),
  },
  { type: 'wait-ended', skipped: true, ...inTask },
  { type: 'wait-ended', skipped: false, ...inTask },
  {
    type: 'note-received',
    note: { id: 1, by: 'ann', say: 'answer', questionId: 'q1', choice: 'yes', picks: ['c1'] },
    ...inTask,
  },
  { type: 'note-received', note: { id: 2, by: 'ann', say: 'pause' }, ...inTask },
  { type: 'note-received', note: { id: 3, by: 'ann', say: 'cancel' }, ...inTask },
  { type: 'note-received', note: { id: 4, by: 'ann', say: 'skip-wait' }, ...inTask },
  { type: 'note-received', note: { id: 8, by: 'ann', say: 'unpause' }, ...inTask },
  { type: 'note-received', note: { id: 5, by: 'ann', say: 'raise', caps: { tasks: 9 } }, ...inTask },
  { type: 'note-received', note: { id: 6, by: 'ann', say: 'feedback', text: ref }, ...inTask },
  { type: 'note-received', note: { id: 7, by: 'ann', say: 'amend', request: ref, terms: { a: 1 } }, ...inTask },
  ...(['completed', 'failed', 'blocked', 'cancelled'] as const).map((ending): Draft => {
    return { type: 'run-ended', ending, reason: { code: 'cancelled', by: 'ann' }, ...stamp(0) }
  }),
]
