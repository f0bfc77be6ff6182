import type { RunRow, RunsPayload } from '../../../src/contract/web.ts'

/** The filters, as they stand in the address. Empty: all. */
export type Filter = {
  readonly status: string
  readonly mode: string
  readonly folder: string
  readonly q: string
}

export const readFilter = (params: URLSearchParams): Filter => ({
  status: params.get('status') ?? '',
  mode: params.get('mode') ?? '',
  folder: params.get('folder') ?? '',
  q: params.get('q') ?? '',
})

export const noFilter: Filter = { status: '', mode: '', folder: '', q: '' }

type Status = {
  readonly value: string
  readonly label: string
  readonly fits: (row: RunRow) => boolean
  readonly count: (counts: RunsPayload['counts']) => number
}

const named = ['queued', 'running', 'waiting', 'completed', 'failed'] as const
const others = ['crashed', 'interrupted', 'blocked', 'cancelled', 'damaged'] as const

export const statuses: readonly Status[] = [
  { value: '', label: 'All', fits: () => true, count: ({ all }) => all },
  { value: 'needs-you', label: 'Needs you', fits: ({ needsYou }) => needsYou, count: ({ needsYou }) => needsYou },
  ...named.map((standing) => ({
    value: standing,
    label: standing.charAt(0).toUpperCase() + standing.slice(1),
    fits: (row: RunRow) => row.standing === standing,
    count: (counts: RunsPayload['counts']) => counts[standing],
  })),
  {
    value: 'other',
    label: 'Other',
    fits: ({ standing }) => (others as readonly string[]).includes(standing),
    count: (counts) => others.reduce((sum, standing) => sum + counts[standing], 0),
  },
]

export function filterRuns(runs: readonly RunRow[], { status, mode, folder, q }: Filter): RunRow[] {
  const fits = statuses.find(({ value }) => value === status)?.fits ?? (() => true)
  const wanted = q.trim().toLowerCase()
  return runs.filter(
    (row) =>
      fits(row) &&
      (mode === '' || row.mode === mode) &&
      (folder === '' || row.workspace === folder) &&
      (wanted === '' || `${row.name}\n${row.id}\n${row.says}`.toLowerCase().includes(wanted)),
  )
}
