import type { RunPayload } from '../../../src/contract/web.ts'
import { capitalize, formatSpend, formatUnit, markAmount } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Teeth, taskTone } from '../parts/teeth.tsx'
import { lookOf } from '../standing.ts'
import { nameTask } from '../timeline/look.ts'

/** The figures of that moment. */
export function MomentCards({ moment }: { readonly moment: RunPayload }) {
  const { row, bounds, timeline } = moment
  const spent = formatSpend(row.spend, row.caps)
  const tasks = timeline.tasks.filter(({ chore }) => !chore)
  const facts: [string, string][] = [
    ['Status', lookOf(row).word],
    ...(row.progress ? [['Progress', row.progress] as [string, string]] : []),
    ...(spent ? [['Spent', `${spent.text} ${spent.of}`] as [string, string]] : []),
    ...bounds.map((bound): [string, string] => {
      const format = formatUnit[bound.unit]
      return [capitalize(bound.name), `${markAmount(format(bound.used), bound)} of ${format(bound.of)}`]
    }),
  ]
  return (
    <>
      <Card title="At that moment">
        <dl className="px-4 py-2.5 text-sm">
          {facts.map(([name, value]) => (
            <div key={name} className="flex gap-3 py-1">
              <dt className="w-28 flex-none text-ink-3">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
      {tasks.length > 0 && (
        <Card title="Done by then">
          <div className="px-4 py-3">
            <Teeth teeth={tasks.map(({ state }) => taskTone(state))} label={row.progress} />
            <p className="text-sm text-ink-2 mt-2">
              {tasks
                .filter(({ state }) => state === 'done')
                .map(nameTask)
                .join(', ') || 'Nothing yet'}
            </p>
          </div>
        </Card>
      )}
    </>
  )
}
