import { capitalize, countOf } from '../format.ts'
import { Icon } from '../parts/icon.tsx'
import { Stars } from './change-nav.tsx'
import { type Change, type Decision, listDependents } from './changes.ts'
import { PassageView } from './passages.tsx'
import type { ApprovalState } from './use-approval.ts'

type ListProps = {
  readonly changes: readonly Change[]
  readonly approval: ApprovalState
  readonly isGone: boolean
}

/** The changes by magnitude, each with accept and reject. */
export function ChangeList({ changes, approval, isGone }: ListProps) {
  return (
    <div className={`min-w-0 ${isGone ? 'inbox-gone' : ''}`}>
      {[...Map.groupBy(changes, ({ magnitude }) => magnitude)].map(([magnitude, group]) => (
        <section key={magnitude} className="mb-3" aria-labelledby={`magnitude-${magnitude}`}>
          <h2
            id={`magnitude-${magnitude}`}
            className="flex items-center gap-2 text-sm text-ink-2 !font-medium pb-2 pt-1"
          >
            {capitalize(magnitude)}
            <span className="count">{group.length}</span>
          </h2>
          {group.map((change) => (
            <ChangeCard
              key={change.id}
              change={change}
              dependents={listDependents(changes, change.id)}
              approval={approval}
              isGone={isGone}
            />
          ))}
        </section>
      ))}
    </div>
  )
}

type CardProps = Omit<ListProps, 'changes'> & { readonly change: Change; readonly dependents: readonly string[] }

function ChangeCard({ change, dependents, approval, isGone }: CardProps) {
  const { id, magnitude, title, summary, before, after, why } = change
  const { current, setCurrent, decisions, choose, isSent } = approval
  const select = (): void => setCurrent(id)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are j and k, and the buttons inside select it too
    <article
      id={`change-${id}`}
      className={`card change ${id === current ? 'change-current' : ''}`}
      aria-labelledby={`title-${id}`}
      onClick={select}
      onFocus={select}
    >
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2 px-4 pt-3">
        <span className="flex">
          <Stars magnitude={magnitude} />
        </span>
        <h3 id={`title-${id}`} className="min-w-0 flex-1 max-md:basis-[70%] wrap-anywhere">
          <span className="text-ink-3 font-normal">{id}</span> {title}
        </h3>
        <Buttons id={id} decision={decisions[id]} isDisabled={isGone || isSent} onChoose={(how) => choose(id, how)} />
      </div>
      {(before || after) && (
        <dl className="grid md:grid-cols-2 gap-x-5 gap-y-2 px-4 pt-2.5 text-sm wrap-anywhere">
          <div>
            <dt className="text-xs text-ink-3">Before</dt>
            <dd>{before || 'nothing'}</dd>
          </div>
          <div>
            <dt className="text-xs text-ink-3">After</dt>
            <dd>{after || 'nothing'}</dd>
          </div>
        </dl>
      )}
      {summary && <p className="px-4 pt-2 text-sm wrap-anywhere">{summary}</p>}
      <p className="px-4 pt-2 pb-3 text-xs text-ink-3 wrap-anywhere">{describe(change, why)}</p>
      <Passages change={change} />
      <Together change={change} dependents={dependents} decision={decisions[id]} />
    </article>
  )
}

/** The text of the change on screens that have no room for it beside. */
function Passages({ change: { passages } }: { readonly change: Change }) {
  if (passages.length === 0) return null
  return (
    <details className="lg:hidden border-t border-line px-4">
      <summary className="flex items-center gap-2 min-h-10 text-sm text-ink-2">
        <Icon name="right" size={12} className="chev" />
        {countOf(passages.length, 'passage', 'passages')}
      </summary>
      {passages.map((passage, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a passage is its place in the text
        <PassageView key={index} passage={passage} isNew={false} />
      ))}
    </details>
  )
}

function describe({ passages, depends_on }: Change, why: string): string {
  const count = passages.length
  const places = [...new Set(passages.map(({ place }) => place))]
  const where = count === 0 ? [] : count <= 2 ? places : [`${count} passages`]
  return [why, ...where, ...(depends_on.length > 0 ? [`Depends on ${depends_on.join(', ')}`] : [])]
    .filter((part) => part !== '')
    .join(' · ')
}

type TogetherProps = {
  readonly change: Change
  readonly dependents: readonly string[]
  readonly decision: Decision | undefined
}

/** The changes that cannot stay without this one. */
function Together({ change: { id }, dependents, decision }: TogetherProps) {
  if (dependents.length === 0) return null
  const names = dependents.join(', ')
  return (
    <p className="px-4 py-2 border-t border-line text-sm text-ink-2 bg-sunk">
      {decision === 'rejected' ? `Rejected with it: ${names}.` : `Rejecting ${id} rejects ${names} too.`}
    </p>
  )
}

type ButtonsProps = {
  readonly id: string
  readonly decision: Decision | undefined
  readonly isDisabled: boolean
  readonly onChoose: (decision: Decision) => void
}

const Buttons = ({ id, decision, isDisabled, onChoose }: ButtonsProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
  <span className="ml-auto seg" role="group" aria-label={`Decide ${id}`}>
    <button
      type="button"
      aria-pressed={decision === 'accepted'}
      disabled={isDisabled}
      onClick={() => onChoose('accepted')}
    >
      <span className={decision === 'accepted' ? 'st st-ok fg' : ''}>
        <Icon name={decision === 'accepted' ? 'ok' : 'check'} />
      </span>
      {decision === 'accepted' ? 'Accepted' : 'Accept'}
    </button>
    <button
      type="button"
      aria-pressed={decision === 'rejected'}
      disabled={isDisabled}
      onClick={() => onChoose('rejected')}
    >
      <span className={decision === 'rejected' ? 'st st-bad fg' : ''}>
        <Icon name={decision === 'rejected' ? 'bad' : 'x'} />
      </span>
      {decision === 'rejected' ? 'Rejected' : 'Reject'}
    </button>
  </span>
)
