import { useMemo } from 'react'
import type { ComparePayload } from '../../../src/contract/web.ts'
import { Card } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'
import { ErrorCard, Skeleton } from '../parts/states.tsx'
import { Link, paths, useQueryParams } from '../router.tsx'
import { Chart } from '../shown/chart.tsx'
import '../styles/compare.css'
import { useTitle } from '../use-page.ts'
import { Figures } from './figures.tsx'
import { mergeCharts } from './merge-charts.ts'
import { Side } from './side.tsx'
import { Timelines } from './timelines.tsx'
import { findRow, useCompare } from './use-compare.ts'

/** Two runs beside each other. Both stand in the address. */
export default function ComparePage() {
  const [params, change] = useQueryParams()
  const [a, b] = [params.get('a') ?? '', params.get('b') ?? '']
  const { rows, runs, compared } = useCompare(a, b)
  const { data, error } = compared
  useTitle('Compare')
  const show = (letter: 'A' | 'B', id: string, other: string) => {
    const side = data?.sides.find(({ row }) => row.id === id)
    return (
      <Side
        key={letter}
        letter={letter}
        id={id}
        row={side?.row ?? findRow(rows, id)}
        headline={side?.headline ?? null}
        rows={rows.filter((row) => row.id !== other)}
        onPick={(picked) => change(letter === 'A' ? { a: picked } : { b: picked })}
      />
    )
  }
  const isComplete = a !== '' && b !== ''
  return (
    <>
      <div className="pt-7 pb-5">
        <h1 className="text-2xl">Compare</h1>
        {!isComplete && <p className="text-ink-2 mt-1">Choose two runs to see them beside each other.</p>}
      </div>
      <div className="grid grid-cols-1 md:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] gap-3 mb-5">
        {show('A', a, b)}
        <button
          type="button"
          className="icon-btn icon-btn-line justify-self-center md:mt-4"
          aria-label="Swap A and B"
          title="Swap A and B"
          disabled={a === '' && b === ''}
          onClick={() => change({ a: b, b: a })}
        >
          <Icon name="swap" />
        </button>
        {show('B', b, a)}
      </div>
      {runs.error && !runs.data && <ErrorCard error={runs.error} onRetry={() => void runs.refetch()} />}
      {isComplete && error && <ErrorCard error={error} onRetry={() => void compared.refetch()} />}
      {isComplete && !data && !error && <Skeleton heights={[320]} />}
      {isComplete && data && !error && <Comparison data={data} />}
    </>
  )
}

function Comparison({ data: { sides, rows, says, parts } }: { readonly data: ComparePayload }) {
  const chart = useMemo(() => mergeCharts(sides), [sides])
  return (
    <>
      <p className="text-lg font-medium mb-5 wrap-anywhere">{says}</p>
      <div className="grid grid-cols-1 lg:grid-cols-[400px_minmax(0,1fr)] gap-x-5 items-start pb-5">
        <Figures rows={rows} />
        <div className="min-w-0">
          {chart && (
            <Card title="Scores" note="A solid, B dashed">
              <Chart block={chart} />
            </Card>
          )}
          {parts && <Parting sides={sides} parts={parts} />}
          <Timelines sides={sides} />
        </div>
      </div>
    </>
  )
}

type PartingProps = Pick<ComparePayload, 'sides'> & { readonly parts: NonNullable<ComparePayload['parts']> }

/** Where the two went different ways, with a link to the attempt of each. */
function Parting({ sides, parts: { task, says, a, b } }: PartingProps) {
  const title = sides[0].timeline.tasks.find(({ id }) => id === task)?.title ?? task
  return (
    <Card title="Where they part" note={title}>
      <div className="px-4 py-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-64 wrap-anywhere">{says}</p>
        {[a, b].map(
          (n, side) =>
            n !== null && (
              <Link
                key={side === 0 ? 'A' : 'B'}
                className="btn btn-sm btn-line"
                href={paths.attempt(sides[side as 0 | 1].row.id, task, n)}
              >
                Attempt {n} of {side === 0 ? 'A' : 'B'}
              </Link>
            ),
        )}
      </div>
    </Card>
  )
}
