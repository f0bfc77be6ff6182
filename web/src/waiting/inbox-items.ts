import { useEffect, useState } from 'react'
import type { WaitingItem } from '../../../src/contract/web.ts'
import { now } from '../clock.ts'
import { forgetAnswer, wasAnsweredHere } from './drafts.ts'

/** An entry of the inbox. `gone`: when it was answered; it stays until nobody looks at it any more. */
export type InboxItem = {
  readonly item: WaitingItem
  readonly gone: { readonly at: number; readonly here: boolean } | null
}

/** The list as it was shown last: the page is built anew for each address. */
let last: readonly InboxItem[] = []

/**
 * The waiting runs in an order that never changes. Runs that no longer wait stay greyed out while they are selected, or while
 * `isHeld` says that somebody is in the list.
 */
export function useInboxItems(items: readonly WaitingItem[], selected: string | null, isHeld: () => boolean) {
  const [shown, setShown] = useState(() => merge(last, items, (id) => id === selected))
  useEffect(() => {
    setShown((before) => merge(before, items, (id) => id === selected || isHeld()))
  }, [items, selected, isHeld])
  useEffect(() => {
    last = shown
  }, [shown])
  /** Lets go of what was answered. */
  const release = (): void => setShown((before) => merge(before, items, (id) => id === selected))
  return { shown, release }
}

function merge(
  before: readonly InboxItem[],
  items: readonly WaitingItem[],
  keep: (id: string) => boolean,
): readonly InboxItem[] {
  const waiting = new Map(items.map((item) => [item.row.id, item]))
  const known = before.flatMap(({ item, gone }): readonly InboxItem[] => {
    const { id } = item.row
    const current = waiting.get(id)
    if (current && current.question?.id === item.question?.id && gone === null) return [{ item: current, gone: null }]
    if (current) {
      forgetAnswer(id)
      return [{ item: current, gone: null }]
    }
    return keep(id) ? [{ item, gone: gone ?? { at: now(), here: wasAnsweredHere(id) } }] : []
  })
  const ids = new Set(known.map(({ item }) => item.row.id))
  return [...known, ...items.filter(({ row }) => !ids.has(row.id)).map((item) => ({ item, gone: null }))]
}
