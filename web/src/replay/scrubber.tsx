import { type CSSProperties, type KeyboardEvent, useRef } from 'react'
import type { RunPayload } from '../../../src/contract/web.ts'
import { formatClock, formatCount, formatTicking } from '../format.ts'
import { Icon } from '../parts/icon.tsx'
import { Segments } from '../parts/segments.tsx'
import { useKeys } from '../shell/keyboard.ts'
import type { Scale } from '../timeline/scale.ts'
import { useWidth } from '../use-width.ts'
import { listMarks } from './marks.ts'
import type { EventTimes } from './use-event-index.ts'
import type { usePlayback } from './use-playback.ts'

type ScrubberProps = {
  readonly whole: RunPayload
  readonly scale: Scale
  readonly times: EventTimes
  readonly playback: ReturnType<typeof usePlayback>
}

const steps = 10_000
const markPx = 24

/** The controls and the slider. The slider uses the folded time of the timeline and stops at events. */
export function Scrubber({ whole, scale, times, playback }: ScrubberProps) {
  const { timeline, lastSeq } = whole
  const { seq, at, isPlaying, goTo, toggle } = playback
  const track = useRef<HTMLDivElement>(null)
  const width = useWidth(track)
  const end = scale.place(timeline.to) || 1
  const place = scale.place(at) / end
  const marks = listMarks(timeline, scale, (markPx / Math.max(1, width)) * end)
  const goToMark = (by: number): void => {
    const moment = times.at(seq)
    const next = by > 0 ? marks.find((mark) => mark.at > moment + 1) : marks.findLast((mark) => mark.at < moment - 1)
    goTo(next ? times.seqAt(next.at) : by > 0 ? lastSeq : 1)
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => goTo(seq - 1),
    ArrowRight: () => goTo(seq + 1),
    'Shift+ArrowLeft': () => goToMark(-1),
    'Shift+ArrowRight': () => goToMark(1),
  }
  useKeys({ ...keys, ' ': toggle })
  const onKeyDown = (event: KeyboardEvent): void => {
    const key = { ArrowDown: 'ArrowLeft', ArrowUp: 'ArrowRight' }[event.key] ?? event.key
    const action = { ...keys, Home: () => goTo(1), End: () => goTo(lastSeq) }[event.shiftKey ? `Shift+${key}` : key]
    if (!action) return
    event.preventDefault()
    event.stopPropagation()
    action()
  }
  const onSlide = (value: number): void => {
    const moment = scale.timeAt((value / steps) * end)
    const before = times.seqAt(moment)
    const isNextNearer = times.at(before + 1) - moment < moment - times.at(before)
    goTo(isNextNearer ? before + 1 : before)
  }
  const where = `${formatClock(at, true)}, ${formatTicking(at - timeline.from)} after the start`
  return (
    <section className="card mb-5 px-5 py-4" aria-label="Replay controls">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <div className="flex items-center gap-1">
          <Control label="To the start" icon="first" onClick={() => goTo(1)} />
          <Control label="Previous event" icon="left" onClick={() => goTo(seq - 1)} />
          <button
            type="button"
            className="btn btn-sm btn-primary !w-10 !px-0"
            aria-label={isPlaying ? 'Pause' : 'Play'}
            onClick={toggle}
          >
            <Icon name={isPlaying ? 'pause' : 'play'} />
          </button>
          <Control label="Next event" icon="right" onClick={() => goTo(seq + 1)} />
          <Control label="To the end" icon="last" onClick={() => goTo(lastSeq)} />
        </div>
        <Segments
          label="Speed"
          value={playback.speed}
          options={(['1', '60', '600'] as const).map((value) => ({ value, label: `${value}×` }))}
          onChange={playback.setSpeed}
        />
        <p>
          <b className="font-medium">
            Event {formatCount(seq)} of {formatCount(lastSeq)}
          </b>{' '}
          <span className="text-ink-2">{where}</span>
        </p>
        <p className="text-xs text-ink-3 ml-auto max-lg:hidden flex items-center gap-1">
          <kbd className="kbd">space</kbd> play <kbd className="kbd">←</kbd> <kbd className="kbd">→</kbd> event{' '}
          <kbd className="kbd">⇧ ←</kbd> <kbd className="kbd">⇧ →</kbd> mark
        </p>
      </div>
      <div className="scrub mt-3">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend */}
        <div ref={track} className="scrub-marks" role="group" aria-label="Marks">
          {marks.map((mark) => (
            <button
              key={mark.at}
              type="button"
              className={`st st-${mark.tone}`}
              style={{ left: `${(100 * mark.place) / end}%` }}
              aria-label={`Go to: ${mark.label}`}
              title={mark.label}
              onClick={() => goTo(times.seqAt(mark.at))}
            >
              <Icon name={mark.icon} size={12} />
            </button>
          ))}
        </div>
        <input
          type="range"
          className="range"
          style={{ '--fill': `${(place * 100).toFixed(2)}%` } as CSSProperties}
          min={0}
          max={steps}
          value={Math.round(place * steps)}
          aria-label="Event"
          aria-valuetext={`Event ${seq} of ${lastSeq}, ${where}`}
          onChange={({ target }) => onSlide(Number(target.value))}
          onKeyDown={onKeyDown}
        />
      </div>
    </section>
  )
}

type ControlProps = { readonly label: string; readonly icon: 'first' | 'left' | 'right' | 'last'; onClick: () => void }

const Control = ({ label, icon, onClick }: ControlProps) => (
  <button type="button" className="icon-btn" aria-label={label} title={label} onClick={onClick}>
    <Icon name={icon} />
  </button>
)
