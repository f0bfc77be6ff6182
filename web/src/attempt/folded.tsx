import type { ReactNode } from 'react'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'

type FoldedProps = {
  readonly name: string
  readonly note: string
  /** What the button copies. */
  readonly copy: string
  readonly isOpen: boolean
  readonly children: ReactNode
}

/** A named text that opens and closes. The button stands beside the heading, since it may not be inside. */
export const Folded = ({ name, note, copy, isOpen, children }: FoldedProps) => (
  <div className="relative">
    <details open={isOpen}>
      <summary className="flex items-center gap-2 pl-4 pr-14 min-h-11 py-1">
        <Icon name="right" size={12} className="chev" />
        <code className="mono-sm min-w-0">{name}</code>
        <span className="text-xs text-ink-3 ml-auto text-right">{note}</span>
      </summary>
      <div className="px-4 pb-4 pt-1">{children}</div>
    </details>
    <span className="absolute right-3 top-2 max-md:top-1">
      <CopyButton text={copy} label={`Copy ${name}`} />
    </span>
  </div>
)
