import { useEffect } from 'react'
import type { Line } from '../../../src/contract/show.ts'
import type { SapRunPayload } from '../../../src/contract/web.ts'
import { showToast } from '../parts/toasts.tsx'
import { readField, readRows } from './log-rows.ts'
import { isOver } from './state.ts'

/** Runs that were started or steered here, and the last event whose messages were looked at. */
const watched = new Map<string, number>()

/** Shows the errors of a run from an event on. A run that somebody only looks at raises no toasts. */
export function watchRun(id: string, after: number): void {
  if (!watched.has(id)) watched.set(id, after)
}

const alerting: readonly string[] = ['abort', 'failover']

/** Toasts for what went wrong in a run that this person started. */
export function useAlerts(data: SapRunPayload): void {
  useEffect(() => {
    const { row, seq } = data.run
    const after = watched.get(row.id)
    if (after === undefined) return
    watched.set(row.id, seq)
    const rows = new Map(readRows(data.log).map((one) => [readField(one, 'seq'), one]))
    const fresh = data.messages.filter((message) => message.seq > after && message.seq <= seq)
    for (const [at, messages] of Map.groupBy(fresh, (message) => message.seq)) {
      const event = readField(rows.get(String(at)), 'event')
      const isAlert = event === '' ? isOver(data) && messages.some(({ isError }) => isError) : alerting.includes(event)
      const [title, ...rest] = messages.map(({ line }) => readText(line))
      if (!isAlert || !title) continue
      const id = `correlation_id ${data.correlation_id}`
      showToast({ tone: 'bad', title, id, ...(rest.length > 0 && { text: rest.join(' ') }) })
    }
  }, [data])
}

const readText = (line: Line): string =>
  line.map((span) => (typeof span === 'string' ? span : 'text' in span ? span.text : '')).join('')
