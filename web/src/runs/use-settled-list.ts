import { type RefObject, useState } from 'react'
import type { RunRow } from '../../../src/contract/web.ts'

const topPx = 160

/**
 * Keeps the order of the rows that somebody looks at. New runs are held back, unless the list is at its top and nothing in it has the
 * focus. `key`: the filter; another one shows everything.
 */
export function useSettledList(rows: readonly RunRow[], key: string, root: RefObject<HTMLElement | null>) {
  const [settled, setSettled] = useState({ key, ids: rows.map(({ id }) => id) })
  const known = new Set(settled.ids)
  const fresh = rows.filter(({ id }) => !known.has(id))
  const mayMove = settled.key !== key || settled.ids.length === 0 || isUntouched(root.current)
  if (mayMove && !isSame(settled.ids, rows)) {
    setSettled({ key, ids: rows.map(({ id }) => id) })
    return { shown: rows, held: 0, release: () => {} }
  }
  const byId = new Map(rows.map((row) => [row.id, row]))
  const shown = settled.ids.flatMap((id) => byId.get(id) ?? [])
  const release = (): void => setSettled({ key, ids: rows.map(({ id }) => id) })
  return { shown, held: fresh.length, release }
}

const isUntouched = (root: HTMLElement | null): boolean =>
  window.scrollY < topPx && !root?.contains(document.activeElement)

const isSame = (ids: readonly string[], rows: readonly RunRow[]): boolean =>
  ids.length === rows.length && rows.every(({ id }, index) => ids[index] === id)
