import { useRef, useState } from 'react'
import type { RunsPayload } from '../../../src/contract/web.ts'
import { formatCount } from '../format.ts'
import { Icon } from '../parts/icon.tsx'
import { EmptyCard } from '../parts/states.tsx'
import { useQueryParams } from '../router.tsx'
import { useKeys } from '../shell/keyboard.ts'
import { groupByDay } from './days.ts'
import { filterRuns, noFilter, readFilter } from './filter.ts'
import { Filters } from './filters.tsx'
import { RunTableRow } from './run-row.tsx'
import { useSettledList } from './use-settled-list.ts'

const pageSize = 30

type RunListProps = {
  readonly data: RunsPayload
  readonly now: number
  /** Loads more runs than the newest ones. */
  readonly onMany: () => void
}

/** The filters and the runs that fit, grouped by day. */
export function RunList({ data, now, onMany }: RunListProps) {
  const [params, change] = useQueryParams()
  const filter = readFilter(params)
  const [limit, setLimit] = useState(pageSize)
  const root = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const rows = filterRuns(data.runs, filter)
  const { shown, held, release } = useSettledList(rows, params.toString(), root)
  const listed = shown.slice(0, limit)
  const move = (by: number): void => {
    const links = [...(root.current?.querySelectorAll<HTMLElement>('[data-run]') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    links[at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))]?.focus()
  }
  const showOlder = (): void => {
    setLimit(limit + pageSize)
    onMany()
  }
  useKeys({ j: () => move(1), k: () => move(-1), '/': () => field.current?.focus() })
  return (
    <>
      <Filters data={data} filter={filter} field={field} onChange={change} />
      <div ref={root} className="pb-12">
        {held > 0 && (
          <div className="flex pb-3">
            <button type="button" className="btn btn-sm btn-line rounded-full mx-auto" onClick={release}>
              <Icon name="down" className="rotate-180" />
              {held} new {held === 1 ? 'run' : 'runs'}
            </button>
          </div>
        )}
        {rows.length === 0 ? (
          <EmptyCard title="No run fits these filters">
            {formatCount(data.counts.all)} runs are hidden.{' '}
            <button type="button" className="link" onClick={() => change(noFilter)}>
              Clear the filters
            </button>
          </EmptyCard>
        ) : (
          <div className="card overflow-hidden">
            <table className="w-full border-collapse text-left max-md:block">
              <caption className="sr-only">Runs, newest first</caption>
              <thead className="max-md:sr-only">
                <tr className="text-xs text-ink-3">
                  <th className="font-medium pl-4 pr-3 h-9">Run</th>
                  <th className="font-medium px-3">Mode</th>
                  <th className="font-medium px-3">Status</th>
                  <th className="font-medium px-3">Progress</th>
                  <th className="font-medium px-3 text-right">Spent</th>
                  <th className="font-medium pl-3 pr-4 text-right">Time</th>
                </tr>
              </thead>
              {groupByDay(listed, now).map(({ key, name, date, rows: dayRows }) => (
                <tbody key={key} className="max-md:block">
                  <tr className="bg-sunk border-t border-line max-md:block">
                    <th
                      scope="rowgroup"
                      colSpan={6}
                      className="pl-4 h-8 text-xs font-medium text-ink-2 max-md:block max-md:leading-8"
                    >
                      {name} <span className="font-normal text-ink-3 ml-1">{date}</span>
                    </th>
                  </tr>
                  {dayRows.map((row) => (
                    <RunTableRow key={row.id} row={row} />
                  ))}
                </tbody>
              ))}
            </table>
          </div>
        )}
        {rows.length > 0 && (
          <p className="text-sm text-ink-3 pt-3">
            {formatCount(listed.length)} of {formatCount(data.counts.all)} runs.{' '}
            {(listed.length < shown.length || data.runs.length < data.counts.all) && (
              <button type="button" className="link text-ink-2" onClick={showOlder}>
                Show older
              </button>
            )}
          </p>
        )}
      </div>
    </>
  )
}
