import { useEffect, useRef, useState } from 'react'
import { useQueryParams } from '../router.tsx'
import type { Scale } from '../timeline/scale.ts'
import type { EventTimes } from './use-event-index.ts'

export type Speed = '1' | '60' | '600'

type Playback = {
  readonly seq: number
  /** The moment of the playhead: of the event, or between two events while it plays. */
  readonly at: number
  readonly isPlaying: boolean
  readonly speed: Speed
  setSpeed(speed: Speed): void
  goTo(seq: number): void
  toggle(): void
}

/** The playhead. Its event stands in the address. Folded time is skipped. */
export function usePlayback(times: EventTimes, lastSeq: number, scale: Scale): Playback {
  const [params, change] = useQueryParams()
  const asked = Number(params.get('at') ?? lastSeq)
  const seq = Math.max(1, Math.min(lastSeq, Number.isInteger(asked) ? asked : lastSeq))
  const [speed, setSpeed] = useState<Speed>('60')
  const [playing, setPlaying] = useState<number | null>(null)
  const latest = useRef({ times, lastSeq, scale, speed, change, seq })
  useEffect(() => {
    latest.current = { times, lastSeq, scale, speed, change, seq }
  })
  const isPlaying = playing !== null
  useEffect(() => {
    if (!isPlaying) return
    let moment = latest.current.times.at(latest.current.seq)
    let before = performance.now()
    let frame = requestAnimationFrame(function step(time) {
      const { current } = latest
      moment = skipFolds(moment + (time - before) * Number(current.speed), current.scale)
      before = time
      setPlaying(moment)
      const reached = current.times.seqAt(moment)
      if (reached !== current.seq) current.change({ at: String(reached) })
      if (reached >= current.lastSeq) setPlaying(null)
      else frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [isPlaying])
  const goTo = (to: number): void => {
    setPlaying(null)
    change({ at: String(Math.max(1, Math.min(lastSeq, to))) })
  }
  const toggle = (): void => {
    if (isPlaying) {
      setPlaying(null)
      return
    }
    if (seq >= lastSeq) change({ at: '1' })
    setPlaying(times.at(seq))
  }
  return { seq, at: playing ?? times.at(seq), isPlaying, speed, setSpeed, goTo, toggle }
}

function skipFolds(moment: number, { folds }: Scale): number {
  const fold = folds.find(({ from, to }) => moment > from && moment < to)
  return fold ? fold.to : moment
}
