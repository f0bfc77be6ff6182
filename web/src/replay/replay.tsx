import { useMemo } from 'react'
import type { RunPayload } from '../../../src/contract/web.ts'
import { formatClock, formatTicking } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Chip } from '../parts/chip.tsx'
import { Icon } from '../parts/icon.tsx'
import { useRunAt } from '../queries.ts'
import { Link, navigate, paths } from '../router.tsx'
import { useKeys } from '../shell/keyboard.ts'
import { RunProvider } from '../shown/run-context.ts'
import { Spans } from '../shown/spans.tsx'
import { lookOf } from '../standing.ts'
import { TimelineList } from '../timeline/list.tsx'
import { TimelineView, timelineTitle } from '../timeline/timeline.tsx'
import { useScale } from '../timeline/use-scale.ts'
import { useSmallScreen } from '../use-media.ts'
import { EventsCard } from './events-card.tsx'
import { MomentCards } from './moment-cards.tsx'
import { Scrubber } from './scrubber.tsx'
import { useDeferredSeq } from './use-deferred-seq.ts'
import { createEventTimes, useEventLines } from './use-event-index.ts'
import { usePlayback } from './use-playback.ts'

/** The run page with a playhead. `whole` is the run as it is today. */
export function Replay({ whole }: { readonly whole: RunPayload }) {
  const { row, timeline, lastSeq } = whole
  const { from, to } = timeline
  const lines = useEventLines(row.id)
  const times = useMemo(() => createEventTimes(lines, { from, to, lastSeq }), [lines, from, to, lastSeq])
  const { scale, unfold } = useScale(timeline, to, false)
  const playback = usePlayback(times, lastSeq, scale)
  const { seq, at } = playback
  const { data } = useRunAt(row.id, useDeferredSeq(seq))
  const isSmall = useSmallScreen()
  useKeys({ Escape: () => navigate(paths.run(row.id)) })
  const moment = data ?? null
  const states = useMemo(() => new Map(moment?.timeline.tasks.map((task) => [task.id, task])), [moment])
  const done = moment?.timeline.tasks.filter(({ chore, state }) => !chore && state === 'done').length ?? 0
  return (
    <RunProvider value={row}>
      <ReplayHead name={row.name} id={row.id} />
      <Scrubber whole={whole} scale={scale} times={times} playback={playback} />
      <div className="grid grid-cols-1 lg:grid-cols-[minmax(0,1fr)_340px] gap-x-5 items-start pb-5">
        <div className="min-w-0">
          {moment && (
            <section
              className={`card card-edge st st-${lookOf(moment.row).tone} mb-5 px-5 py-4`}
              aria-label="Where it stood"
            >
              <p className="text-lg font-medium wrap-anywhere">
                <Spans line={moment.headline} at={at} />
              </p>
              <p className="text-ink-2 mt-0.5">
                {formatClock(at, true)}, {formatTicking(at - from)} after the start
              </p>
            </section>
          )}
          <Card
            title={timelineTitle(timeline)}
            note={<span className="max-md:hidden">{done} done at this moment; what came later is faint</span>}
            className="!overflow-visible"
          >
            {isSmall && moment ? (
              <TimelineList run={row.id} timeline={moment.timeline} until={at} />
            ) : (
              <TimelineView
                run={row.id}
                timeline={timeline}
                scale={scale}
                until={to}
                isLive={false}
                onUnfold={unfold}
                replay={{ at, label: formatClock(at, true), states }}
              />
            )}
          </Card>
          <EventsCard lines={lines} seq={seq} onSeq={playback.goTo} run={row.id} />
        </div>
        <aside className="min-w-0" aria-label="State at that moment">
          {moment && <MomentCards moment={moment} />}
        </aside>
      </div>
    </RunProvider>
  )
}

const ReplayHead = ({ name, id }: { readonly name: string; readonly id: string }) => (
  <>
    <nav className="text-sm text-ink-3 flex items-center gap-1.5 pt-5" aria-label="Path">
      <Link className="hover:text-ink" href={paths.runs}>
        Runs
      </Link>
      <Icon name="right" size={12} />
      <Link className="hover:text-ink truncate" href={paths.run(id)}>
        {name}
      </Link>
      <Icon name="right" size={12} />
      <span>Replay</span>
    </nav>
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pt-1 pb-4">
      <h1 className="text-2xl wrap-anywhere">{name}</h1>
      <Chip tone="off" icon="play">
        Replay
      </Chip>
      <p className="text-sm text-ink-2">You see it as it was. Nothing can be steered from here.</p>
      <Link className="btn btn-sm btn-line ml-auto max-md:ml-0" href={paths.run(id)}>
        Back to the run
      </Link>
    </div>
  </>
)
