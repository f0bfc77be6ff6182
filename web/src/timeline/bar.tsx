import type { CSSProperties, FocusEvent, PointerEvent } from 'react'
import type { TimelineAttempt } from '../../../src/contract/web.ts'
import { Icon } from '../parts/icon.tsx'
import { Link, paths } from '../router.tsx'
import type { Bar, Strip } from './items.ts'
import { describeAttempt, nameTask } from './look.ts'
import { percent, span } from './places.ts'
import type { RowProps } from './row.tsx'

type BarProps = RowProps & { readonly bar: Bar }

/** One attempt: a link with a full label. Pale body: the work. Solid cap: the verdict, as wide as verification took. */
export function AttemptBar({ bar, ...row }: BarProps) {
  const { playhead, scale } = row
  const { attempt, look } = bar
  const end = bar.left + bar.width
  if (playhead !== null) {
    const at = scale.place(playhead)
    if (attempt.from > playhead) return <BarLink bar={bar} row={row} isGhost />
    if (end > at + 1e-9) {
      return (
        <>
          <BarLink bar={{ ...bar, width: at - bar.left, look: { ...look, tone: 'run', isOpen: true } }} row={row} />
          <span className={`tl-bar tl-narrow tl-ghost st st-${look.tone}`} style={span(at, end - at)} />
        </>
      )
    }
  }
  return (
    <>
      <BarLink bar={bar} row={row} />
      <NextMark bar={bar} />
    </>
  )
}

type BarLinkProps = { readonly bar: Bar; readonly row: RowProps; readonly isGhost?: boolean }

function BarLink({ bar, row, isGhost = false }: BarLinkProps) {
  const { attempt, look, isNarrow, hasNumber } = bar
  const classes = [
    `tl-bar st st-${look.tone}`,
    look.isOpen ? 'tl-live' : '',
    look.isKept ? 'tl-kept' : '',
    attempt.stronger ? 'tl-stronger' : '',
    isNarrow && !look.isOpen ? 'tl-narrow' : '',
    isGhost ? 'tl-ghost' : '',
  ]
  return (
    <Link {...linkProps(row, [attempt])} className={classes.join(' ')} style={span(bar.left, bar.width)}>
      {hasNumber && <i>{attempt.n}</i>}
      {!look.isOpen && look.glyph && (
        <b style={{ '--v': percent(bar.verified) } as CSSProperties}>
          {!isNarrow && <Icon name={look.glyph} size={12} />}
        </b>
      )}
    </Link>
  )
}

/** A double chevron or two arrows after an attempt that another model follows. */
function NextMark({ bar: { attempt, left, width } }: { readonly bar: Bar }) {
  if (attempt.ledTo !== 'escalate' && attempt.ledTo !== 'failover') return null
  const isUp = attempt.ledTo === 'escalate'
  return (
    <span className={`tl-mark st ${isUp ? 'st-up' : ''} fg`} style={{ left: percent(left + width) }}>
      <Icon name={isUp ? 'up' : 'swap'} size={12} />
    </span>
  )
}

/** Several attempts that are too short to draw. Opens the last of them. */
export function StripBar({ strip, ...row }: RowProps & { readonly strip: Strip }) {
  const isLater = row.playhead !== null && (strip.attempts[0]?.from ?? 0) > row.playhead
  return (
    <Link
      {...linkProps(row, strip.attempts)}
      className={`tl-strip st st-${strip.tone} ${isLater ? 'tl-ghost' : ''}`}
      style={span(strip.left, strip.width)}
    />
  )
}

function linkProps({ run, task, until, tabStop, onHover, onFocus }: RowProps, attempts: readonly TimelineAttempt[]) {
  const [first, last] = [attempts[0], attempts.at(-1)]
  const key = `${task.id}/${first?.n}`
  const label = last ? describeAttempt(task, last, until) : task.id
  const show = (element: HTMLElement): void => {
    if (last) onHover({ task, attempt: last, element })
  }
  return {
    href: paths.attempt(run, task.id, last?.n ?? 1),
    'data-bar': key,
    'aria-label': attempts.length > 1 ? `${attempts.length} attempts at ${nameTask(task)}; the last: ${label}` : label,
    tabIndex: key === tabStop ? 0 : -1,
    onPointerEnter: ({ currentTarget }: PointerEvent<HTMLElement>) => show(currentTarget),
    onPointerLeave: () => onHover(null),
    onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) => {
      onFocus(key)
      show(currentTarget)
    },
    onBlur: () => onHover(null),
  }
}
