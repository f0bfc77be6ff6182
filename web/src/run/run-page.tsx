import { useEffect } from 'react'
import type { RunPayload } from '../../../src/contract/web.ts'
import { useLiveStatus } from '../live.ts'
import { type LogStore, useLogStore } from '../log/log-store.ts'
import { useRunStream } from '../log/use-run-stream.ts'
import { Card } from '../parts/card.tsx'
import { MissingRun, Skeleton } from '../parts/states.tsx'
import { refreshRun, useRun } from '../queries.ts'
import { navigate, paths } from '../router.tsx'
import { useKeys } from '../shell/keyboard.ts'
import { Blocks } from '../shown/blocks.tsx'
import { Notices } from '../shown/notices.tsx'
import { Question } from '../shown/question.tsx'
import { RunProvider } from '../shown/run-context.ts'
import { Sections } from '../shown/sections.tsx'
import { lookOf } from '../standing.ts'
import { useTitle } from '../use-page.ts'
import { Banner } from './banner.tsx'
import { BoundsCard } from './bounds-card.tsx'
import { FactsCard } from './facts-card.tsx'
import { FeedbackCard } from './feedback-card.tsx'
import { Head } from './head.tsx'
import { placeSections } from './place-sections.ts'
import { Records } from './records.tsx'
import { RunTimeline } from './run-timeline.tsx'
import { SteeredCard } from './steered-card.tsx'

/** One run: where it stands and why, what goes on, then the details. */
export default function RunPage({ id }: { readonly id: string }) {
  const { data, error, refetch } = useRun(id)
  const store = useLogStore(id)
  useTitle(data ? `${data.row.name}, ${lookOf(data.row).word.toLowerCase()}` : '')
  useKeys({ Escape: () => navigate(paths.runs) })
  if (!data) {
    return error ? <MissingRun error={error} onRetry={() => void refetch()} /> : <Skeleton heights={[96, 320, 420]} />
  }
  return <LoadedRun data={data} store={store} />
}

function LoadedRun({ data, store }: { readonly data: RunPayload; readonly store: LogStore }) {
  const { row, question, notices, timeline, bounds, forecast, steered, can } = data
  const isLive = row.standing === 'running' || row.standing === 'waiting'
  useFollowedLog(data, store)
  const { results, details, asides } = placeSections(data)
  return (
    <RunProvider value={row}>
      <Head data={data} />
      <Banner data={data} />
      {question && (
        <Card title="Needs you" isForYou>
          <Question question={question}>
            <Blocks blocks={question.about} />
          </Question>
        </Card>
      )}
      <div className="grid grid-cols-1 lg:grid-cols-[minmax(0,1fr)_340px] gap-x-5 items-start pb-5">
        <div className="min-w-0">
          {notices.length > 0 && (
            <Card title="Look at first" note={String(notices.length)}>
              <Notices notices={notices} />
            </Card>
          )}
          <Sections sections={results} />
          {timeline.tasks.length > 0 && <RunTimeline run={row.id} timeline={timeline} isLive={isLive} />}
          <Records data={data} store={store} isLive={isLive} />
          <Sections sections={details} />
        </div>
        <aside className="min-w-0" aria-label="Bounds and facts">
          {bounds.length > 0 && (
            <BoundsCard id={row.id} isOver={!isLive} bounds={bounds} forecast={forecast} raise={can.raise} />
          )}
          {can.feedback && <FeedbackCard id={row.id} />}
          {steered.length > 0 && <SteeredCard steered={steered} />}
          <Sections sections={asides} />
          <FactsCard data={data} />
        </aside>
      </div>
    </RunProvider>
  )
}

/** Keeps the log up to date by the stream of the run. Without a stream, every refresh of the run loads its end. */
function useFollowedLog({ row: { id }, seq }: RunPayload, store: LogStore): void {
  const { is } = useLiveStatus()
  useRunStream(id, seq, {
    onFrame: ({ lines }) => store.append(lines),
    onReset: () => {
      store.reset()
      refreshRun(id)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another event may have brought lines
  useEffect(() => {
    if (is === 'lost') store.loadEnd()
  }, [is, seq, store])
}
