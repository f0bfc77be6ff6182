import { keepPreviousData, QueryClient, useQuery } from '@tanstack/react-query'
import { ApiError, getRun, getRunAt, getRuns, getWaiting } from './api.ts'

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
    queryFn: ({ signal }) => getRuns(many ? manyRuns : fewRuns, signal),
    placeholderData: keepPreviousData,
  })

export const useWaiting = () => useQuery({ queryKey: keys.waiting, queryFn: ({ signal }) => getWaiting(signal) })

export const useRun = (id: string) => useQuery({ queryKey: keys.run(id), queryFn: ({ signal }) => getRun(id, signal) })

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
