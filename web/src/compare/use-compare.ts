import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { RunRow } from '../../../src/contract/web.ts'
import { getCompare } from '../api.ts'
import { useRuns } from '../queries.ts'

/** Both runs beside each other. Fetched again when one of them has a new event. */
export function useCompare(a: string, b: string) {
  const runs = useRuns(true)
  const rows = runs.data?.runs ?? []
  const times = [a, b].map((id) => rows.find((row) => row.id === id)?.at ?? 0)
  const compared = useQuery({
    queryKey: ['compare', a, b, ...times],
    queryFn: ({ signal }) => getCompare(a, b, signal),
    placeholderData: keepPreviousData,
    enabled: a !== '' && b !== '' && !runs.isPending,
    gcTime: 60_000,
  })
  return { rows, runs, compared }
}

export const findRow = (rows: readonly RunRow[], id: string): RunRow | undefined => rows.find((row) => row.id === id)
