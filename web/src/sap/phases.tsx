import type { Timeline, TimelineTask } from '../../../src/contract/web.ts'
import { capitalize } from '../format.ts'
import { Icon } from '../parts/icon.tsx'
import { taskLooks } from '../timeline/look.ts'

type PhasesProps = { readonly timeline: Timeline; readonly isRunning: boolean }

/** The phases with their scores. */
export function Phases({ timeline: { tasks }, isRunning }: PhasesProps) {
  const phases = tasks.filter(({ chore }) => !chore)
  if (phases.length === 0) return null
  return (
    <ol className="sap-phases" aria-label="Phases">
      {phases.map((phase) => (
        <Phase key={phase.id} phase={phase} isRunning={isRunning} />
      ))}
    </ol>
  )
}

/** A phase at work in a run that does not go on at present. */
const held = { tone: 'you', icon: 'pause', word: 'on hold' } as const

type PhaseProps = { readonly phase: TimelineTask; readonly isRunning: boolean }

function Phase({ phase: { id, title, state, attempts }, isRunning }: PhaseProps) {
  const { tone, icon, word } = state === 'at-work' && !isRunning ? held : taskLooks[state]
  const scores = attempts.flatMap(({ score }) => score ?? [])
  const [last, before] = [scores.at(-1), scores.slice(0, -1)]
  const name = capitalize(id.replace('-', ' '))
  return (
    <li className={`st st-${tone}`}>
      <span className="fg">
        <Icon name={icon} />
        <span className="sr-only">{word}</span>
      </span>
      <span className="min-w-0">
        {name !== title && <span className="block text-xs text-ink-3">{name}</span>}
        <span className="block font-medium truncate" title={title}>
          {title}
        </span>
      </span>
      <span className="ml-auto text-sm text-right whitespace-nowrap">
        {last === undefined ? (
          <span className="text-ink-2">{word}</span>
        ) : (
          <span className="block font-medium">{last}%</span>
        )}
        {before.length > 0 && (
          <span className="block text-xs text-ink-3">after {before.map((score) => `${score}%`).join(', ')}</span>
        )}
      </span>
    </li>
  )
}
