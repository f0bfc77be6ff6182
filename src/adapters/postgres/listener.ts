import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'

/** Wakes this process when a run changes. Only a hint: whoever listens also polls. */
export type Listener = {
  /** Calls back when this run may have changed, or any run if `run` is undefined. Returns a function that ends this. */
  on(run: string | undefined, call: () => void): () => void
  /** Resolves when this run, or any run, may have changed, when the signal fires, and after `ms` at the latest. */
  wait(run: string | undefined, ms: number, signal: AbortSignal): Promise<void>
  /** Tells all processes that a run has changed. Several changes within a moment are told once. */
  ring(run: string): void
  close(): Promise<void>
}

type ListenerOptions = {
  connect(): Promise<pg.Client>
  query(text: string, values: readonly unknown[]): Promise<unknown>
}

const channel = 'pawl'
const retryMs = 1000
const closeMs = 500
/** Every NOTIFY takes a lock of the whole server when it commits, so they are sent by themselves and not with every event. */
const gatherMs = 50

export function createListener({ connect, query }: ListenerOptions): Listener {
  const calls = new Map<string | undefined, Set<() => void>>()
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let client: pg.Client | undefined
  let isOpen = false
  let isClosed = false
  const deliver = (run: string | undefined): void => {
    for (const key of new Set([run, undefined])) for (const call of calls.get(key) ?? []) call()
  }

  function on(run: string | undefined, call: () => void): () => void {
    const set = calls.get(run) ?? new Set()
    calls.set(run, set.add(call))
    if (!isOpen) void listen()
    return () => {
      set.delete(call)
      if (set.size === 0 && calls.get(run) === set) calls.delete(run)
    }
  }

  /** Listens for as long as the process lives. Behind a pooler that does not pass LISTEN on, polling does the work. */
  async function listen(): Promise<void> {
    isOpen = true
    while (!isClosed) {
      await listenOnce().catch(() => {})
      client = undefined
      if (!isClosed) await delay(retryMs, undefined, { ref: false })
    }
  }

  async function listenOnce(): Promise<void> {
    const own = await connect()
    const over = Promise.withResolvers<void>()
    own.on('error', () => over.resolve())
    own.on('end', () => over.resolve())
    own.on('notification', ({ payload }) => deliver(payload))
    await own.connect()
    // The types of pg do not know it.
    ;(own as unknown as { unref(): void }).unref()
    client = own
    if (isClosed) return own.end()
    await own.query(`listen ${channel}`)
    // Something may have changed before this connection was there.
    for (const run of calls.keys()) deliver(run)
    await over.promise
  }

  async function tell(): Promise<void> {
    timer = undefined
    const runs = [...changed]
    changed.clear()
    await query('select pg_notify($1, run) from unnest($2::text[]) run', [channel, runs]).catch(() => {})
  }

  return {
    on,
    async wait(run, ms, signal) {
      if (signal.aborted) return
      const over = Promise.withResolvers<void>()
      const end = (): void => over.resolve()
      const off = on(run, end)
      const waiting = setTimeout(end, ms)
      signal.addEventListener('abort', end)
      await over.promise
      off()
      clearTimeout(waiting)
      signal.removeEventListener('abort', end)
    },
    ring(run) {
      deliver(run)
      changed.add(run)
      if (!isClosed) timer ??= setTimeout(() => void tell(), gatherMs)
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      // A command that posts a note ends at once, and the run is not to wait for its next look.
      if (timer) await waitAtMost(closeMs, tell())
      await waitAtMost(closeMs, client?.end())
    },
  }
}

/** Waits for the end of something, however it ends. A connection that does not answer must not keep the process. */
export async function waitAtMost(ms: number, end: Promise<unknown> | undefined): Promise<void> {
  const over = new AbortController()
  const limit = delay(ms, undefined, { signal: over.signal })
  await Promise.allSettled([Promise.race([end, limit])])
  over.abort()
  await limit.catch(() => {})
}
