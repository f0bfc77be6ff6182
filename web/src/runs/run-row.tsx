import { useEffect, useRef, useState } from 'react'
import type { RunRow } from '../../../src/contract/web.ts'
import { useNow } from '../clock.ts'
import { capitalize, formatClock, formatDuration, formatSpend, formatTicking, formatUtc, shortId } from '../format.ts'
import { StandingChip } from '../parts/chip.tsx'
import { Icon } from '../parts/icon.tsx'
import { countTeeth, Teeth } from '../parts/teeth.tsx'
import { Link, paths } from '../router.tsx'
import { modeIcon, type Tone } from '../standing.ts'

const tintMs = 1200

/** A run in the list: a row with two lines, or a block on small screens. */
export function RunTableRow({ row }: { readonly row: RunRow }) {
  const isChanged = useChanged(row.at)
  const spent = formatSpend(row.spend, row.caps)
  return (
    <tr
      className={`border-t border-line hover:bg-sunk/60 md:h-[57px] max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:px-4 max-md:py-3 ${isChanged ? 'row-changed' : ''}`}
    >
      <td className="md:py-2 md:pl-4 md:pr-3 md:max-w-0 md:w-[24%] min-w-0">
        <div className="truncate">
          <Link href={paths.run(row.id)} data-run={row.id} className="font-medium hover:underline underline-offset-3">
            {row.name}
          </Link>{' '}
          <span className="mono text-xs text-ink-3" title={row.id}>
            {shortId(row.id)}
          </span>
        </div>
        <div className="text-xs text-ink-3 truncate">{row.workspace}</div>
      </td>
      <td className="px-3 text-sm max-md:hidden">
        <span className="inline-flex items-center gap-1.5 text-ink-2">
          <Icon name={modeIcon(row.mode)} />
          {capitalize(row.mode)}
        </span>
      </td>
      <td className="md:px-3 md:max-w-0 md:w-[30%] max-md:contents">
        <StandingChip run={row} plain className="max-md:self-start" />
        <div className="text-xs text-ink-2 md:truncate max-md:col-span-2 max-md:text-sm max-md:pt-1 max-md:pb-2 wrap-anywhere">
          {row.says}
          {row.waits?.until !== undefined && ` until ${formatClock(row.waits.until)}`}
        </div>
      </td>
      <td className="md:px-3 md:w-[190px] max-md:col-span-2">
        <Progress row={row} />
      </td>
      <td className="md:px-3 md:text-right text-sm whitespace-nowrap max-md:pt-2" title={spent?.title}>
        <span className="md:hidden text-ink-2">
          {row.progress}
          {spent && ' · '}
        </span>
        {spent ? spent.text : <span className="text-ink-3 max-md:hidden">–</span>}
        <div className="text-xs text-ink-3 max-md:hidden">{spent?.of}</div>
      </td>
      <td className="md:pl-3 md:pr-4 text-right text-sm whitespace-nowrap max-md:pt-2">
        <Elapsed row={row} />
        <div className="text-xs text-ink-3 max-md:hidden" title={formatUtc(row.created)}>
          {formatClock(row.created)}
        </div>
      </td>
    </tr>
  )
}

/** True for a moment after the value changed. */
function useChanged(value: number): boolean {
  const [isChanged, setChanged] = useState(false)
  const last = useRef(value)
  useEffect(() => {
    if (last.current === value) return
    last.current = value
    setChanged(true)
    const timer = setTimeout(() => setChanged(false), tintMs)
    return () => clearTimeout(timer)
  }, [value])
  return isChanged
}

function Progress({ row }: { readonly row: RunRow }) {
  const { done, of, progress, standing } = row
  if (done === null || of === null || of === 0)
    return <span className="text-sm text-ink-2 max-md:hidden">{progress}</span>
  const now = standing === 'waiting' && row.needsYou ? 'you' : nextTones[standing]
  return (
    <>
      <Teeth teeth={countTeeth(done, of, now)} label={progress} />
      <div className="text-xs text-ink-2 mt-1.5 max-md:hidden">{progress}</div>
    </>
  )
}

/** The tooth after those that are done. A run that waits is between two tasks: nothing is half done. */
const nextTones: Readonly<Record<RunRow['standing'], Tone | null>> = {
  queued: null,
  running: 'run',
  waiting: null,
  blocked: 'you',
  completed: null,
  failed: 'bad',
  cancelled: null,
  crashed: 'off',
  interrupted: 'off',
  damaged: null,
}

const isOver = ({ standing }: RunRow): boolean =>
  standing !== 'running' && standing !== 'waiting' && standing !== 'blocked'

/** Of a run that is over, the time at work: a night between two tries says nothing. */
function Elapsed({ row }: { readonly row: RunRow }) {
  const now = useNow(10, !isOver(row))
  if (!isOver(row)) return formatTicking(now - row.created)
  return formatDuration(row.spend?.activeMs ?? row.at - row.created)
}
