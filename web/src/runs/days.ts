import type { RunRow } from '../../../src/contract/web.ts'
import { formatDay, isSameDay } from '../format.ts'

export type Day = { readonly key: string; readonly name: string; readonly date: string; readonly rows: RunRow[] }

const dayMs = 86_400_000

/** Groups runs by the day they were created. Runs of one sitting follow the newest of them. */
export function groupByDay(rows: readonly RunRow[], now: number): Day[] {
  const days = new Map<string, Day>()
  for (const row of rows) {
    const key = new Date(row.created).toDateString()
    const day = days.get(key) ?? { key, ...nameDay(row.created, now), rows: [] }
    days.set(key, day)
    const last = row.group === undefined ? -1 : day.rows.findLastIndex(({ group }) => group === row.group)
    if (last === -1) day.rows.push(row)
    else day.rows.splice(last + 1, 0, row)
  }
  return [...days.values()]
}

function nameDay(at: number, now: number): Pick<Day, 'name' | 'date'> {
  if (isSameDay(at, now)) return { name: 'Today', date: formatDay(at) }
  if (isSameDay(at, now - dayMs)) return { name: 'Yesterday', date: formatDay(at) }
  return { name: formatDay(at), date: '' }
}
