import { keepPreviousData, QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError, getRun, getRunAt, getRunJson, getRuns, getWaiting } from './api.ts'

/** Data is fetched again when the server reports a change, so it never becomes stale by age. */
export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status >= 400),
      retryDelay: 1000,
    },
  },
})

export const keys = {
  runs: ['runs'] as const,
  waiting: ['waiting'] as const,
  run: (id: string) => ['run', id] as const,
  runAt: (id: string, seq: number) => ['run-at', id, seq] as const,
}

const fewRuns = 200
const manyRuns = 1000

/** The newest runs, and counts of all of them. `many`: for a filter, or for somebody who goes back in time. */
export const useRuns = (many = false) =>
  useQuery({
    queryKey: [...keys.runs, many],
    queryFn: async ({ signal }) => {
      await early
      return getRuns(many ? manyRuns : fewRuns, signal)
    },
    placeholderData: keepPreviousData,
  })

export const useWaiting = () => useQuery({ queryKey: keys.waiting, queryFn: ({ signal }) => getWaiting(signal) })

const runQuery = (id: string) => queryOptions({ queryKey: keys.run(id), queryFn: ({ signal }) => getRun(id, signal) })

export const useRun = (id: string) => useQuery(runQuery(id))

/** The run that a page was opened with. What the page has besides comes after it. */
let early: Promise<void> | undefined

/** Fetches a run while the script that shows it is still loading. */
export function fetchEarly(id: string): void {
  early = client.prefetchQuery(runQuery(id))
}

/** `seq`: after that event. Stays on screen until the next one is there. */
export const useRunJson = (id: string, seq: number | null) =>
  useQuery({
    queryKey: [...keys.run(id), 'json', seq],
    queryFn: ({ signal }) => getRunJson(id, seq, signal),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  })

/** Keeps the last moment on screen until the next one is there. */
export const useRunAt = (id: string, seq: number) =>
  useQuery({
    queryKey: keys.runAt(id, seq),
    queryFn: ({ signal }) => getRunAt(id, seq, signal),
    placeholderData: keepPreviousData,
    enabled: seq > 0,
    gcTime: 60_000,
  })

/** Fetches again what may show one run. */
export function refreshRun(id: string): void {
  for (const queryKey of [keys.run(id), keys.runs, keys.waiting]) void client.invalidateQueries({ queryKey })
}

export function refreshAll(): void {
  void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'run-at' })
}
