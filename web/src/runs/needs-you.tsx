import type { WaitingItem } from '../../../src/contract/web.ts'
import { useNow } from '../clock.ts'
import { capitalize, formatTicking } from '../format.ts'
import { Icon } from '../parts/icon.tsx'
import { useWaiting } from '../queries.ts'
import { Link, paths } from '../router.tsx'
import { RunProvider } from '../shown/run-context.ts'
import { Spans } from '../shown/spans.tsx'
import { modeIcon } from '../standing.ts'

/** The questions that are open, with one button each. */
export function NeedsYou() {
  const { data } = useWaiting()
  if (!data || data.items.length === 0) return null
  return (
    <section className="card overflow-hidden" aria-labelledby="needs">
      <div className="card-h st st-you bg-you-soft !border-you/25">
        <span className="fg">
          <Icon name="you" />
        </span>
        <h2 id="needs" className="text-you-ink">
          Needs you
        </h2>
        <span className="text-you-ink text-sm">{data.items.length}</span>
        <Link className="ml-auto text-sm text-you-ink link" href={paths.waiting()}>
          Open all
        </Link>
      </div>
      <ul>
        {data.items.map((item) => (
          <Item key={item.row.id} item={item} />
        ))}
      </ul>
    </section>
  )
}

function Item({ item: { row, question, since, commands } }: { readonly item: WaitingItem }) {
  const href = paths.waiting(row.id)
  return (
    <RunProvider value={row}>
      <li className="flex max-md:flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 border-t border-line first:border-0">
        <div className="md:w-52 flex-none min-w-0 max-md:flex max-md:items-baseline max-md:gap-2 max-md:w-full">
          <Link href={href} className="font-medium hover:underline underline-offset-3 truncate block">
            {row.name}
          </Link>
          <p className="text-xs text-ink-3 md:mt-0.5 flex items-center gap-1.5 min-w-0">
            <Icon name={modeIcon(row.mode)} size={12} />
            <span className="truncate">
              {capitalize(row.mode)} · {row.workspace}
            </span>
          </p>
        </div>
        <div className="min-w-0 flex-1 max-md:basis-full">
          <p className="md:truncate wrap-anywhere">
            {question ? <Spans line={question.asks} /> : capitalize(row.says)}
          </p>
          <p className="text-sm text-ink-2 md:truncate">
            {question && question.choices.length > 0
              ? `${question.choices.length} ${question.choices.length === 1 ? 'answer' : 'answers'}: ${question.choices.map(({ choice }) => choice).join(', ')}`
              : commands[0]?.command}
          </p>
        </div>
        <span className="text-sm text-ink-2 whitespace-nowrap">
          for <Age since={since} />
        </span>
        <Link
          href={href}
          className="btn btn-sm btn-line max-md:ml-auto md:w-36"
          aria-label={`${label(question)}: ${row.name}`}
        >
          {label(question)}
        </Link>
      </li>
    </RunProvider>
  )
}

const label = (question: WaitingItem['question']): string => (question ? 'Answer' : 'See what it needs')

/** Ticks every 10 s. */
export function Age({ since }: { readonly since: number }) {
  return formatTicking(Math.floor((useNow(10) - since) / 10_000) * 10_000)
}
