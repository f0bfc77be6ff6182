import type { LoopEvent } from '../../../contract/event.ts'
import type { Projection } from '../../../run/projection.ts'
import type { SapFile } from './sap-file.ts'
import { followRun } from './sap-follow.ts'
import type { SapAbout, SapLine } from './sap-line.ts'
import { isWritten } from './sap-sampling.ts'

export type SapOptions = {
  readonly about: SapAbout
  readonly file: SapFile
  /** The run's events as its journal has them. */
  readonly history: () => Iterable<LoopEvent>
  readonly onLost: (error: unknown) => void
}

/**
 * `agent_logs/sap.log`, kept in step with a run: a line is written once its event is safe. What an earlier process could not
 * write any more is made up for first. What this one cannot write is told once and made up for when the run leaves.
 */
export function sapProjection({ about, file, history, onLost }: SapOptions): Projection {
  let follow = followRun(about)
  let waiting: SapLine[] = []
  let followed = 0
  let lost = false
  let told = false

  return {
    onEvent: (event) =>
      trying(() => {
        if (followed === 0 && event.seq > 1) catchUp(event.seq - 1)
        take(event)
      }),
    onSaved: () => trying(write),
    onLeft(left) {
      // What is not safe is not told.
      if (left.status === 'unsaved') waiting = []
      else if (lost || followed === 0) {
        lost = false
        trying(() => catchUp(left.view.state.seq))
      }
      trying(write)
      file.close()
    },
  }

  function take(event: LoopEvent): void {
    followed = event.seq
    const line = follow(event)
    if (line && isWritten(line)) waiting.push(line)
  }

  function write(): void {
    if (waiting.length) file.append(waiting.map(entryOf))
    waiting = []
  }

  function catchUp(through: number): void {
    follow = followRun(about)
    waiting = []
    for (const event of history()) if (event.seq <= through) take(event)
    const last = waiting[0] ? file.lastTold(about.run, dayOf(waiting[0])) : 0
    waiting = waiting.filter(({ seq }) => seq > last)
  }

  function trying(action: () => void): void {
    if (lost) return
    try {
      action()
    } catch (error) {
      lost = true
      if (!told) onLost(error)
      told = true
    }
  }
}

const entryOf = (line: SapLine) => ({ uuid: line.uuid, day: dayOf(line), text: JSON.stringify(line) })
const dayOf = ({ timestamp }: SapLine): string => timestamp.slice(0, 10)
