import { type ReactNode, useId } from 'react'
import { Icon } from './icon.tsx'

type CardProps = {
  readonly title: string
  /** Beside the title, in secondary ink. */
  readonly note?: ReactNode
  /** At the right end of the heading. */
  readonly actions?: ReactNode
  readonly className?: string
  /** Needs a person: an amber heading. */
  readonly isForYou?: boolean
  readonly children: ReactNode
}

/** A card: a section named by its heading. */
export function Card({ title, note, actions, className = '', isForYou = false, children }: CardProps) {
  const id = useId()
  return (
    <section className={`card mb-5 overflow-hidden ${className}`} aria-labelledby={id}>
      <div className={`card-h ${isForYou ? 'bg-you-soft text-you-ink !border-you/25' : ''}`}>
        {isForYou && <Icon name="you" />}
        <h2 id={id}>{title}</h2>
        {note && <span className="text-sm text-ink-2 min-w-0 truncate">{note}</span>}
        {actions && <span className="ml-auto flex items-center gap-1">{actions}</span>}
      </div>
      {children}
    </section>
  )
}
