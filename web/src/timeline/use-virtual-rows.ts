import { type CSSProperties, type RefObject, useEffect, useState } from 'react'

const extra = 6

/** The rows of a scrolling element that are in view, with the room of the others as padding. All rows if there are few. */
export function useVirtualRows(root: RefObject<HTMLElement | null>, count: number, rowPx: number, above: number) {
  const isVirtual = count > above
  const [view, setView] = useState({ top: 0, height: 800 })
  useEffect(() => {
    const element = root.current
    if (!isVirtual || !element) return
    // The newest rows are below.
    element.scrollTop = element.scrollHeight
    const update = (): void => setView({ top: element.scrollTop, height: element.clientHeight })
    update()
    element.addEventListener('scroll', update, { passive: true })
    return () => element.removeEventListener('scroll', update)
  }, [root, isVirtual])
  if (!isVirtual) return { from: 0, to: count, padding: undefined }
  const from = Math.max(0, Math.floor(view.top / rowPx) - extra)
  const to = Math.min(count, Math.ceil((view.top + view.height) / rowPx) + extra)
  const padding: CSSProperties = { paddingTop: from * rowPx, paddingBottom: (count - to) * rowPx }
  return { from, to, padding }
}
