import { formatClock } from '../format.ts'
import { useRuns } from '../queries.ts'
import type { InboxItem } from './inbox-items.ts'

/** Why a run no longer waits: "Answered in a terminal, 18:31". */
export function Gone({ inboxItem: { item, gone } }: { readonly inboxItem: InboxItem }) {
  const { data } = useRuns()
  if (!gone) return null
  const standing = data?.runs.find(({ id }) => id === item.row.id)?.standing
  const at = formatClock(gone.at)
  if (gone.here) return `Answered by you, ${at}`
  return standing === 'cancelled' ? `Cancelled, ${at}` : `Answered in a terminal, ${at}`
}
