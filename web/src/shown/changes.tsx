import type { Block, ChangeShown } from '../../../src/contract/show.ts'
import { capitalize } from '../format.ts'
import { Icon } from '../parts/icon.tsx'

type ChangesBlock = Extract<Block, { kind: 'changes' }>

const order: readonly ChangeShown['magnitude'][] = ['major', 'moderate', 'minor']

/** What code counted, what a description says that does not hold, then the changes by magnitude. */
export function Changes({ block: { changes, counted, doubts } }: { readonly block: ChangesBlock }) {
  return (
    <div>
      {counted.length > 0 && (
        <ul className="px-4 py-2 text-sm text-ink-2">
          {counted.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
      {doubts.length > 0 && (
        <ul className="px-4 py-2 bg-bad-soft text-bad-ink">
          {doubts.map((doubt) => (
            <li key={doubt} className="flex gap-2 py-0.5">
              <Icon name="bad" className="mt-0.5" />
              <span className="min-w-0 wrap-anywhere">{doubt}</span>
            </li>
          ))}
        </ul>
      )}
      {order.map((magnitude) => {
        const group = changes.filter((change) => change.magnitude === magnitude)
        if (group.length === 0) return null
        return (
          <section key={magnitude} aria-label={`${capitalize(magnitude)} changes`}>
            <h3 className="px-4 h-8 flex items-center gap-2 bg-sunk border-y border-line text-xs font-medium text-ink-2">
              {capitalize(magnitude)} <span className="count">{group.length}</span>
            </h3>
            <ul className="divide-y divide-line">
              {group.map((change) => (
                <Change key={change.id} change={change} />
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

function Change({ change }: { readonly change: ChangeShown }) {
  const { title, summary, before, after, why, depends_on, passages } = change
  return (
    <li className="px-4 py-3 wrap-anywhere">
      <p className="font-medium">{title}</p>
      {summary && <p className="text-ink-2">{summary}</p>}
      <BeforeAfter before={before} after={after} />
      {why && <p className="text-sm text-ink-2 mt-1.5">{why}</p>}
      {depends_on.length > 0 && <p className="text-sm text-ink-3 mt-1">Goes with {depends_on.join(', ')}</p>}
      {passages.length > 0 && (
        <details className="mt-1.5">
          <summary className="text-sm text-ink-2 inline-flex items-center gap-1 min-h-6">
            <Icon name="right" size={12} className="chev" />
            {passages.length} {passages.length === 1 ? 'passage' : 'passages'}
          </summary>
          {passages.map((passage, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two passages may lie in one place
            <div key={index} className="mt-2">
              <p className="text-sm text-ink-3">{passage.place}</p>
              <BeforeAfter before={passage.before} after={passage.after} />
            </div>
          ))}
        </details>
      )}
    </li>
  )
}

const BeforeAfter = ({ before, after }: { readonly before: string; readonly after: string }) => (
  <div className="mt-1.5 grid gap-1">
    {before && (
      <p className="prose">
        <del>{before}</del>
      </p>
    )}
    {after && (
      <p className="prose">
        <ins>{after}</ins>
      </p>
    )}
  </div>
)
