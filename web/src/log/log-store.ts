import { useEffect, useState, useSyncExternalStore } from 'react'
import type { LogLine, LogPayload } from '../../../src/contract/web.ts'
import { getLog } from '../api.ts'

const pageSize = 400

export type LogState = {
  readonly isLoaded: boolean
  readonly error: unknown
  readonly total: number
  /** The number of the first line. */
  readonly first: number
  readonly firstError: number | null
  /** The most characters of a line that was loaded. */
  readonly longest: number
}

const empty: LogState = { isLoaded: false, error: null, total: 0, first: 1, firstError: null, longest: 0 }

/** The lines of a run's log that were needed so far. Places count from 0; line numbers are the server's. */
export type LogStore = {
  subscribe(listener: () => void): () => void
  state(): LogState
  lineAt(place: number): LogLine | undefined
  /** Loads the lines between two places that are not there yet. */
  need(from: number, to: number): void
  append(lines: readonly LogLine[]): void
  /** Loads the end, or everything anew after `reset`. */
  loadEnd(): void
  reset(): void
  close(): void
}

function createLogStore(id: string): LogStore {
  let state = empty
  const lines = new Map<number, LogLine>()
  const asked = new Set<number>()
  const listeners = new Set<() => void>()
  let aborted = new AbortController()

  function change(next: Partial<LogState>): void {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }

  function add(more: readonly LogLine[]): void {
    let { longest, total, firstError } = state
    for (const line of more) {
      lines.set(line.n, line)
      longest = Math.max(longest, countCharacters(line))
      total = Math.max(total, line.n - state.first + 1)
      if (line.isError) firstError = Math.min(firstError ?? line.n, line.n)
    }
    change({ longest, total, firstError })
  }

  async function load(from: number, count: number): Promise<LogPayload | undefined> {
    try {
      return await getLog(id, { from, count }, aborted.signal)
    } catch (error) {
      if (!aborted.signal.aborted) change({ error })
      return undefined
    }
  }

  async function loadEnd(): Promise<void> {
    const payload = await load(-pageSize, pageSize)
    if (!payload) return
    const { total, firstError, lines: more } = payload
    const last = more.at(-1)
    const first = last ? last.n - total + 1 : 1
    change({ isLoaded: true, error: null, total: Math.max(total, state.total), first, firstError })
    add(more)
  }

  async function loadPage(page: number): Promise<void> {
    asked.add(page)
    const payload = await load(state.first + page * pageSize, pageSize)
    if (payload) add(payload.lines)
    else asked.delete(page)
  }

  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: () => state,
    lineAt: (place) => lines.get(state.first + place),
    need(from, to) {
      if (!state.isLoaded) return
      const last = Math.floor(Math.min(to, state.total - 1) / pageSize)
      for (let page = Math.floor(Math.max(0, from) / pageSize); page <= last; page += 1) {
        if (!asked.has(page) && isMissing(page, from, to)) void loadPage(page)
      }
    },
    append: add,
    loadEnd: () => void loadEnd(),
    reset() {
      aborted.abort()
      aborted = new AbortController()
      lines.clear()
      asked.clear()
      state = { ...empty, longest: state.longest }
      void loadEnd()
    },
    close: () => aborted.abort(),
  }

  function isMissing(page: number, from: number, to: number): boolean {
    const end = Math.min((page + 1) * pageSize, to + 1, state.total)
    for (let place = Math.max(page * pageSize, from); place < end; place += 1) {
      if (!lines.has(state.first + place)) return true
    }
    return false
  }
}

function countCharacters({ line }: LogLine): number {
  let sum = 0
  for (const span of line) sum += typeof span === 'string' ? span.length : 'text' in span ? span.text.length : 24
  return sum
}

/** The log of a run, loaded from its end. */
export function useLogStore(id: string): LogStore {
  const [store, setStore] = useState(() => createLogStore(id))
  useEffect(() => {
    const opened = createLogStore(id)
    setStore(opened)
    opened.loadEnd()
    return () => opened.close()
  }, [id])
  return store
}

export const useLogState = (store: LogStore): LogState => useSyncExternalStore(store.subscribe, store.state)
