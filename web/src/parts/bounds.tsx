import type { ReactNode } from 'react'
import type { Bound } from '../../../src/contract/show.ts'
import { capitalize, formatCount, formatUnit, markAmount } from '../format.ts'
import { Chip } from './chip.tsx'

const amberFrom = 0.8

type BoundsProps = {
  readonly bounds: readonly Bound[]
  /** The bound that ends the run first. */
  readonly first?: Bound['cap'] | null
  /** Of a run that is over, only the bound that ended it is amber. */
  readonly isOver?: boolean
}

/** Bounds with how much of each is used. The one that ends the run first stands on top. */
export function Bounds({ bounds, first = null, isOver = false }: BoundsProps) {
  const rank = ({ cap, fired }: Bound): number => Number(fired ?? false) + Number(cap === first)
  const ordered = bounds.toSorted((a, b) => rank(b) - rank(a))
  return (
    <ul className="divide-y divide-line py-1">
      {ordered.map((bound) => (
        <BoundRow key={bound.cap} bound={bound} isFirst={bound.cap === first} isOver={isOver} />
      ))}
    </ul>
  )
}

type RowProps = { readonly bound: Bound; readonly isFirst: boolean; readonly isOver: boolean }

function BoundRow({ bound, isFirst, isOver }: RowProps) {
  const { name, used, of, unit, soft, setBy, fired } = bound
  const format = formatUnit[unit]
  const part = of > 0 ? Math.min(1, used / of) : 1
  const usedText = markAmount(format(used), bound)
  const isAmber = fired || isFirst || (part > amberFrom && !isOver)
  const exact = unit === 'tokens' ? `${formatCount(used)} of ${formatCount(of)}` : undefined
  const left = `${bound.atLeast ? 'at most ' : ''}${format(Math.max(0, of - used))} left`
  const note = soft ? `From ${format(soft.from)}: ${soft.says}` : part < 1 ? left : ''
  return (
    <li className={`px-4 py-2.5 st ${isAmber ? 'st-you' : ''}`}>
      <div className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium">{capitalize(name)}</span>
        {fired && <Flag>ended it</Flag>}
        {!fired && isFirst && <Flag>fires first</Flag>}
        <span className="ml-auto whitespace-nowrap" title={exact}>
          {usedText} <span className="text-ink-3">of {format(of)}</span>
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a meter element cannot show the mark inside */}
      <div
        className="bar mt-1.5"
        role="meter"
        aria-label={capitalize(name)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(part * 100)}
        aria-valuetext={`${usedText} of ${format(of)}`}
      >
        <i style={{ width: `${part * 100}%` }} />
        {soft && of > 0 && <u style={{ left: `${Math.min(99, (100 * soft.from) / of)}%` }} />}
      </div>
      {(note || setBy) && (
        <div className="flex gap-3 text-xs text-ink-3 mt-1.5">
          <span className={isFirst ? 'fg' : ''}>{note}</span>
          {setBy && (
            <span className="ml-auto text-right truncate" title={setBy}>
              {setBy}
            </span>
          )}
        </div>
      )}
    </li>
  )
}

const Flag = ({ children }: { readonly children: ReactNode }) => (
  <Chip tone="you" icon="flag" className="!h-5">
    {children}
  </Chip>
)
