import { useState } from 'react'
import type { RunsPayload } from '../../../src/contract/web.ts'
import { now } from '../clock.ts'
import { formatMoney, formatTokens } from '../format.ts'
import { Icon } from '../parts/icon.tsx'
import { ErrorCard, Skeleton } from '../parts/states.tsx'
import { useRuns } from '../queries.ts'
import { Link, paths, useQueryParams } from '../router.tsx'
import { useTitle } from '../use-page.ts'
import { EmptyRuns } from './empty-runs.tsx'
import { NeedsYou } from './needs-you.tsx'
import { RunList } from './run-list.tsx'

export default function RunsPage() {
  const [isMany, setMany] = useState(false)
  const hasFilter = useQueryParams()[0].size > 0
  const { data, error, refetch } = useRuns(isMany || hasFilter)
  useTitle(data && data.counts.needsYou > 0 ? `(${data.counts.needsYou}) Runs` : 'Runs')
  if (!data)
    return error ? <ErrorCard error={error} onRetry={() => void refetch()} /> : <Skeleton heights={[160, 480]} />
  if (data.counts.all === 0) return <EmptyRuns />
  return (
    <>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2 pt-7 pb-5">
        <div>
          <h1 className="text-2xl">Runs</h1>
          <p className="text-ink-2 mt-1">{summarize(data)}</p>
        </div>
        <div className="ml-auto flex gap-2">
          <Link className="btn btn-sm btn-line max-md:hidden" href={paths.compare()}>
            <Icon name="compare" />
            Compare two
          </Link>
          <Link className="btn btn-sm btn-primary" href={paths.start}>
            <Icon name="plus" />
            Start
          </Link>
        </div>
      </div>
      {data.counts.needsYou > 0 && <NeedsYou />}
      <RunList data={data} now={now()} onMany={() => setMany(true)} />
    </>
  )
}

/** "2 are at work, 1 waits, 3 wait for you. $9.57 spent today." */
function summarize({ runs, counts, today }: RunsPayload): string {
  const waiting = runs.filter(({ standing, needsYou }) => standing === 'waiting' && !needsYou).length
  const parts = [
    ...(counts.running > 0 ? [`${counts.running} ${counts.running === 1 ? 'is' : 'are'} at work`] : []),
    ...(waiting > 0 ? [`${waiting} ${waiting === 1 ? 'waits' : 'wait'}`] : []),
    ...(counts.needsYou > 0 ? [`${counts.needsYou} ${counts.needsYou === 1 ? 'waits' : 'wait'} for you`] : []),
  ]
  const state = parts.length === 0 ? 'Nothing is at work.' : `${parts.join(', ')}.`
  return `${state} ${describeSpending(today)}`.trim()
}

function describeSpending({ costUsd, tokens, atLeast }: RunsPayload['today']): string {
  const mark = atLeast ? 'At least ' : ''
  if (costUsd > 0) return `${mark}${formatMoney(costUsd)} spent today.`
  return tokens > 0 ? `${mark}${formatTokens(tokens)} tokens spent today.` : ''
}
