import { type ReactNode, useRef } from 'react'
import { useWidth } from '../use-width.ts'

/** Content that may be wider than its card. Reachable by keyboard only if it scrolls. */
export function ScrollArea({ children }: { readonly children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  const width = useWidth(ref)
  const scrolls = ref.current !== null && ref.current.scrollWidth > width
  return (
    <div
      ref={ref}
      className="overflow-x-auto"
      {...(scrolls && { role: 'group', tabIndex: 0, 'aria-label': 'Scrolls sideways' })}
    >
      {children}
    </div>
  )
}
