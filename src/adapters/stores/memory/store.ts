import { PawlError } from '../../../contract/exit.ts'
import type { Owner } from '../../../ports/lease.ts'
import type { LockKey } from '../../../ports/locks.ts'
import type { NewRun, RunEntry, RunListing, RunStore } from '../../../ports/run-store.ts'
import { createBell } from '../shared/bell.ts'
import { hash, newOwner, ownedError } from '../shared/values.ts'
import { createMemoryRun, type MemoryRun } from './run.ts'

type Entry = { entry: RunEntry; readonly listed: boolean; readonly run: MemoryRun }

/** Stores runs in memory, for the library and for tests. Copies data as JSON, so it loses the same data as a file would. */
export function openMemoryStore(): RunStore {
  const runs = new Map<string, Entry>()
  const locks = new Map<string, Owner>()
  const bell = createBell()
  /** Number of changes per run. */
  const changes = new Map<string, number>()
  const find = (address: string): Entry | undefined => runs.get(address.replace(/^memory:/, ''))

  return {
    name: 'memory',
    async create(wanted) {
      const { id } = wanted.entry
      try {
        if (wanted.at !== undefined) throw new Error(`the memory store cannot use the folder ${wanted.at}`)
        const run = createMemoryRun(id, () => change(id))
        const request = await fill(run, wanted)
        const trusted = wanted.listed ? hash(request) : undefined
        const entry: RunEntry = { ...wanted.entry, address: `memory:${id}`, trusted }
        if (runs.has(id)) throw new Error('a run with this id already exists')
        runs.set(id, { entry, listed: wanted.listed, run })
        change(id)
        return run.open(entry)
      } catch (error) {
        if (error instanceof PawlError) throw error
        throw new PawlError(20, `cannot create memory:${id}: ${(error as Error).message}`, 'Nothing was started.')
      }
    },
    async open(address) {
      const found = find(address)
      return found?.run.open(found.entry)
    },
    async list({ workspace, limit }) {
      return [...runs.values()]
        .filter(({ entry, listed }) => listed && (workspace === undefined || entry.workspace === workspace))
        .map(toListing)
        .sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : a.id < b.id ? 1 : -1))
        .slice(0, limit)
    },
    watch: async (signal) => watch(new Map(changes), signal),
    async trust({ id }, sha256) {
      const found = runs.get(id)
      if (found) found.entry = { ...found.entry, trusted: sha256 }
      change(id)
    },
    async remove({ id }) {
      const found = runs.get(id)
      const owner = found?.run.owner()
      if (owner) throw ownedError(owner)
      const bytes = found ? await found.run.open(found.entry).size() : 0
      runs.delete(id)
      change(id)
      return bytes
    },
    async acquire(key, { force = false } = {}) {
      const name = lockName(key)
      const held = locks.get(name)
      if (held && !force) throw ownedError(held)
      const mine = newOwner((held?.epoch ?? 0) + 1)
      locks.set(name, mine)
      return {
        release: async () => {
          if (locks.get(name) === mine) locks.delete(name)
        },
      }
    },
  }

  function change(id: string): void {
    changes.set(id, (changes.get(id) ?? 0) + 1)
    bell.ring()
  }

  async function* watch(before: Map<string, number>, signal: AbortSignal): AsyncGenerator<string> {
    while (!signal.aborted) {
      const rung = bell.wait(signal)
      for (const [id, count] of changes) {
        if (before.get(id) === count) continue
        before.set(id, count)
        yield id
      }
      await rung
    }
  }
}

/** Stores the content, history and notes of a new run and returns its request. */
async function fill(run: MemoryRun, { freeze }: NewRun): Promise<string> {
  const { put, get, has } = run.content
  const { request, history = [], notes = [] } = await freeze({ put, get, has })
  run.requests.push(request)
  if (history.length > 0) {
    const held = await run.hold({})
    for (const [index, draft] of history.entries()) {
      if (draft.type === 'note-received') run.inbox.notes.push(structuredClone(draft.note))
      await held.journal.append({ ...draft, seq: index + 1 })
    }
    await held.release()
  }
  for (const note of notes) await run.inbox.post(note)
  return request
}

const toListing = ({ entry, run }: Entry): RunListing => ({
  ...entry,
  seq: run.events.at(-1)?.seq ?? 0,
  card: run.card(),
  owner: run.owner(),
})

const lockName = (key: LockKey): string =>
  key.of === 'name' ? `name ${key.workspace} ${key.name}` : `folder ${key.path}`
