import { useEffect, useRef } from 'react'
import { useRuns } from '../queries.ts'
import { lookOf } from '../standing.ts'
import { announce } from './announce.tsx'

/** Says to screen readers when a run begins to wait for a person, or ends. */
export function useStandingAnnouncements(): void {
  const { data } = useRuns()
  const known = useRef<Map<string, string>>(null)
  useEffect(() => {
    if (!data) return
    const words = new Map(data.runs.map((row) => [row.id, lookOf(row).word]))
    if (known.current) {
      const changed = data.runs.filter(({ id }) => known.current?.has(id) && known.current.get(id) !== words.get(id))
      if (changed.length > 0) announce(changed.map(({ id, name }) => `${name}: ${words.get(id)}`).join('. '))
    }
    known.current = words
  }, [data])
}
