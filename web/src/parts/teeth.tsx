import type { TimelineTask } from '../../../src/contract/web.ts'
import type { Tone } from '../standing.ts'

const tones: Readonly<Record<TimelineTask['state'], Tone | null>> = {
  done: 'ok',
  failed: 'bad',
  blocked: 'you',
  interrupted: 'off',
  'at-work': 'run',
  open: null,
}

/** More teeth than this are drawn as a plain bar. */
const maxTeeth = 24

export const taskTone = (state: TimelineTask['state']): Tone | null => tones[state]

type TeethProps = { readonly teeth: readonly (Tone | null)[]; readonly label: string }

/** The rail of teeth: one for each task, in the colour of its state; null is open. */
export function Teeth({ teeth, label }: TeethProps) {
  if (teeth.length > maxTeeth) return <TeethBar teeth={teeth} label={label} />
  return (
    <span className="teeth" role="img" aria-label={label}>
      {teeth.map((tone, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tooth is its place in the rail
        <i key={index} className={tone ? `st st-${tone}` : ''} />
      ))}
    </span>
  )
}

const order: readonly (Tone | null)[] = ['ok', 'bad', 'you', 'off', 'run', null]

function TeethBar({ teeth, label }: TeethProps) {
  const parts = order.map((tone) => ({ tone, count: teeth.filter((one) => one === tone).length }))
  return (
    <span className="teeth teeth-bar" role="img" aria-label={label}>
      {parts
        .filter(({ count }) => count > 0)
        .map(({ tone, count }) => (
          <i
            key={tone ?? 'open'}
            className={tone ? `st st-${tone}` : ''}
            style={{ width: `${(100 * count) / teeth.length}%` }}
          />
        ))}
    </span>
  )
}

/** The teeth of a run of which only counts are known. The one after those that are done stands for where the run is. */
export function countTeeth(done: number, of: number, now: Tone | null): (Tone | null)[] {
  const open = Math.max(0, of - done)
  const next: (Tone | null)[] = now !== null && open > 0 ? [now] : []
  return [...Array<Tone>(Math.min(done, of)).fill('ok'), ...next, ...Array<null>(open - next.length).fill(null)]
}
