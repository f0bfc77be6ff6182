import { lazy, Suspense, useState } from 'react'
import type { ChartBlock } from './chart-layout.ts'

// uPlot is large, and most pages need no chart. If it does not load, the table has the same numbers.
const Plot = lazy(() => import('./plot.tsx').catch(() => ({ default: PointTable })))

/** A score chart. "As a table" shows the same numbers. */
export function Chart({ block }: { readonly block: ChartBlock }) {
  const [isTable, setTable] = useState(false)
  return (
    <div>
      <div className="flex items-center gap-2 px-4 pt-2">
        <p className="text-sm text-ink-2">{block.title}</p>
        <button type="button" className="btn btn-sm btn-quiet !h-7 ml-auto" onClick={() => setTable(!isTable)}>
          {isTable ? 'As a chart' : 'As a table'}
        </button>
      </div>
      {isTable ? (
        <PointTable block={block} />
      ) : (
        <Suspense fallback={<div className="chart" />}>
          <Plot block={block} />
        </Suspense>
      )}
    </div>
  )
}

function PointTable({ block: { series, marks } }: { readonly block: ChartBlock }) {
  return (
    <div className="py-1">
      <table className="block-table">
        <thead>
          <tr>
            <th scope="col">Series</th>
            <th scope="col">#</th>
            <th scope="col">Value</th>
            <th scope="col">Note</th>
          </tr>
        </thead>
        <tbody>
          {series.flatMap(({ name, points }) =>
            points.map(({ x, y, low, high, label }) => (
              <tr key={`${name}-${x}`}>
                <td>{name}</td>
                <td>{x}</td>
                <td>
                  {y}
                  {low !== undefined && high !== undefined && ` (${low} to ${high})`}
                </td>
                <td>{label}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
      <p className="px-4 py-2 text-sm text-ink-2">{marks.map(({ y, label }) => `${y}: ${label}`).join(' · ')}</p>
    </div>
  )
}
