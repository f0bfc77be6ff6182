import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { AfterTurn, NewTurn, Queue, Turn, Waiting, WorkerSeen, WorkOptions } from '../../ports/queue.ts'

type Entry = {
  turn: NewTurn
  readonly since: number
  due: number
  /** Counts the additions, so that none is lost while a turn ends. */
  version: number
  failures: number
  isTaken: boolean
  problem?: string | undefined
}

const maxFailures = 10
const firstRetryMs = 1000

/** A queue for the runs of this process. It forgets them when the process ends: the runs themselves are in a store. */
export function createQueue(): Queue {
  const entries = new Map<string, Entry>()
  const workers = new Map<string, WorkerSeen>()
  const since = new Date().toISOString()
  const calls = new Set<() => void>()
  const wake = (): void => {
    for (const call of calls) call()
  }
  let order = 0

  return {
    async add(turns) {
      for (const turn of turns) {
        const entry = entries.get(turn.run)
        if (entry)
          Object.assign(entry, {
            turn: {
              ...turn,
              priority: turn.priority ?? entry.turn.priority,
              reopen: turn.reopen ?? entry.turn.reopen,
            },
            due: 0,
            version: entry.version + 1,
            failures: 0,
            problem: undefined,
          })
        else
          entries.set(turn.run, {
            turn,
            since: Date.now() + order++ / 1e6,
            due: 0,
            version: 0,
            failures: 0,
            isTaken: false,
          })
      }
      wake()
    },
    work,
    async list() {
      return [...entries.values()].map(
        ({ turn, since, due, problem }): Waiting => ({
          run: turn.run,
          mode: turn.mode,
          name: turn.run,
          priority: turn.priority ?? 0,
          since: Math.floor(since),
          due: due === Number.POSITIVE_INFINITY ? undefined : due,
          owner: undefined,
          problem,
        }),
      )
    },
    workers: async () => [...workers.values()],
    close: async () => {},
  }

  async function work(options: WorkOptions, take: (turn: Turn) => Promise<AfterTurn>): Promise<void> {
    const { concurrency, signal } = options
    const id = randomUUID()
    const active = new Map<Promise<void>, string>()
    const owner = { host: hostname(), pid: process.pid, since }
    const over = (): void => wake()
    signal.addEventListener('abort', over)
    while (!signal.aborted) {
      const called = Promise.withResolvers<void>()
      calls.add(called.resolve)
      for (const entry of takeDue(options, [...active.values()], concurrency - active.size)) {
        const done = giveTurn(entry, take, options).finally(() => {
          active.delete(done)
          wake()
        })
        active.set(done, entry.turn.mode)
      }
      workers.set(id, { owner, concurrency, active: active.size, seen: Date.now() })
      const dueMs = nextDueMs()
      const timer = dueMs === undefined ? undefined : setTimeout(called.resolve, dueMs)
      await called.promise
      clearTimeout(timer)
      calls.delete(called.resolve)
    }
    signal.removeEventListener('abort', over)
    await Promise.all(active.keys())
    workers.delete(id)
  }

  /** Takes the entries whose turn it is: by priority, then by age. */
  function takeDue({ perMode = {}, modes }: WorkOptions, busy: readonly string[], free: number): Entry[] {
    const now = Date.now()
    const left = new Map<string, number>()
    const leftOf = (mode: string): number =>
      left.get(mode) ?? (perMode[mode] ?? Number.POSITIVE_INFINITY) - busy.filter((one) => one === mode).length
    const taken: Entry[] = []
    const due = [...entries.values()].filter((entry) => !entry.isTaken && !entry.problem && entry.due <= now)
    due.sort((a, b) => (b.turn.priority ?? 0) - (a.turn.priority ?? 0) || a.since - b.since)
    for (const entry of due) {
      const { mode } = entry.turn
      if (taken.length === free) break
      if (leftOf(mode) <= 0 || (modes && !modes.includes(mode))) continue
      left.set(mode, leftOf(mode) - 1)
      entry.isTaken = true
      taken.push(entry)
    }
    return taken
  }

  /** Undefined if nothing is due at a time: a queue that waits for additions only does not keep its process alive. */
  function nextDueMs(): number | undefined {
    const dues = [...entries.values()].filter(({ isTaken, problem }) => !isTaken && !problem).map(({ due }) => due)
    const next = Math.min(...dues)
    return next === Number.POSITIVE_INFINITY ? undefined : Math.min(2 ** 31 - 1, Math.max(1, next - Date.now()))
  }

  async function giveTurn(
    entry: Entry,
    take: (turn: Turn) => Promise<AfterTurn>,
    { onProblem }: WorkOptions,
  ): Promise<void> {
    const { version, turn } = entry
    let after: AfterTurn | undefined
    try {
      after = await take({ ...turn, job: randomUUID() })
      entry.failures = 0
    } catch (error) {
      const { message } = error as Error
      onProblem(`${turn.run}: ${message}`)
      if (++entry.failures >= maxFailures) entry.problem = message
    }
    entry.isTaken = false
    if (entry.version !== version) return
    if (!after) entry.due = Date.now() + firstRetryMs * 2 ** (entry.failures - 1)
    else if (after.is === 'ended') entries.delete(turn.run)
    else entry.due = after.is === 'again' ? after.at : Number.POSITIVE_INFINITY
    entry.turn = { ...turn, reopen: undefined }
  }
}
