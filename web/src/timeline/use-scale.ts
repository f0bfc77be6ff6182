import { useRef, useState } from 'react'
import type { Timeline } from '../../../src/contract/web.ts'
import { type Axis, createScale, type Scale } from './scale.ts'

type Kept = { readonly key: string; readonly axis: Axis }

/** The scale of a timeline. Keeps its axis while the run goes on; opening a fold lays it out anew. */
export function useScale(timeline: Timeline, until: number, isLive: boolean) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const kept = useRef<Kept>(null)
  const key = [timeline.from, isLive, ...unfolded].join()
  const previous = kept.current?.key === key ? kept.current.axis : null
  const scale: Scale = createScale({ timeline, until, isLive, unfolded, previous })
  kept.current = { key, axis: scale.axis }
  const fold = unfolded.size > 0 ? () => setUnfolded(new Set()) : null
  return { scale, fold, unfold: (from: number) => setUnfolded(new Set([...unfolded, from])) }
}
