import type { Timeline } from '../../../src/contract/web.ts'
import { useNow } from '../clock.ts'
import { Card } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'
import { Link, paths } from '../router.tsx'
import { TimelineLegend } from '../timeline/legend.tsx'
import { TimelineList } from '../timeline/list.tsx'
import { summarizeTimeline } from '../timeline/look.ts'
import { TimelineView, timelineTitle } from '../timeline/timeline.tsx'
import { useScale } from '../timeline/use-scale.ts'
import { useSmallScreen } from '../use-media.ts'

type RunTimelineProps = { readonly run: string; readonly timeline: Timeline; readonly isLive: boolean }

export function RunTimeline({ run, timeline, isLive }: RunTimelineProps) {
  const now = useNow(1, isLive)
  const until = isLive ? Math.max(now, timeline.to) : timeline.to
  const isSmall = useSmallScreen()
  const { scale, unfold, fold } = useScale(timeline, until, isLive)
  const replay = (
    <Link className="btn btn-sm btn-quiet !h-7 max-md:hidden" href={paths.replay(run)}>
      <Icon name="play" />
      Replay
    </Link>
  )
  return (
    <Card
      title={timelineTitle(timeline)}
      note={<span className="max-md:hidden">{summarizeTimeline(timeline)}</span>}
      actions={replay}
      className="!overflow-visible"
    >
      {isSmall ? (
        <TimelineList run={run} timeline={timeline} until={until} />
      ) : (
        <>
          <TimelineView run={run} timeline={timeline} scale={scale} until={until} isLive={isLive} onUnfold={unfold} />
          <TimelineLegend timeline={timeline} hasFolds={scale.folds.length > 0} onFold={fold} />
        </>
      )}
    </Card>
  )
}
