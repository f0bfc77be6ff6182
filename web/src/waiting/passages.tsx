import { useState } from 'react'
import { Segments } from '../parts/segments.tsx'
import type { Change, Passage } from './changes.ts'
import { type Marked, markWords } from './mark-words.ts'

type View = 'both' | 'new'

type PanelProps = {
  readonly changes: readonly Change[]
  /** The text of all changes instead of that of the current one. */
  readonly isWhole: boolean
  readonly onWhole: (isWhole: boolean) => void
}

/** The text of the current change, as it was and as it would be. */
export function PassagePanel({ changes, isWhole, onWhole }: PanelProps) {
  const [view, setView] = useState<View>('both')
  const passages = changes.flatMap((change) => change.passages.map((passage) => ({ ...passage, id: change.id })))
  const title = isWhole ? 'All changes' : `Text of ${changes[0]?.id ?? ''}`
  return (
    <aside className="card min-w-0 sticky top-20 overflow-hidden max-lg:hidden" aria-label={title}>
      <div className="card-h">
        <h2>{title}</h2>
        <Segments
          className="ml-auto"
          label="View"
          value={view}
          options={[
            { value: 'both', label: 'Both' },
            { value: 'new', label: 'New' },
          ]}
          onChange={setView}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="passages" tabIndex={0} aria-label="Passages">
        {passages.map((passage, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a passage is its place in the text
          <PassageView key={index} passage={passage} isNew={view === 'new'} />
        ))}
        {passages.length === 0 && <p className="text-ink-2">No passage belongs to this change.</p>}
      </section>
      <p className="px-5 py-2 border-t border-line">
        <button type="button" className="btn btn-sm btn-quiet -ml-3" onClick={() => onWhole(!isWhole)}>
          {isWhole ? 'Only the current change' : 'All changes'} <kbd className="kbd">d</kbd>
        </button>
      </p>
    </aside>
  )
}

export function PassageView({ passage, isNew }: { readonly passage: Passage; readonly isNew: boolean }) {
  const { before, after } = markWords(passage.before, passage.after)
  return (
    <figure className="passage">
      <figcaption className="text-xs text-ink-3">{passage.place}</figcaption>
      {!isNew && passage.before !== '' && (
        <p className="prose text-ink-2">
          <span className="sr-only">Before: </span>
          <Words marked={before} as="del" />
        </p>
      )}
      {passage.after !== '' && (
        <p className="prose">
          <span className="sr-only">After: </span>
          {isNew ? passage.after : <Words marked={after} as="ins" />}
        </p>
      )}
      {isNew && passage.after === '' && <p className="text-ink-2">Removed.</p>}
    </figure>
  )
}

function Words({ marked, as: Tag }: { readonly marked: Marked; readonly as: 'del' | 'ins' }) {
  return (
    <>
      {marked.start}
      {marked.changed !== '' && <Tag>{marked.changed}</Tag>}
      {marked.end}
    </>
  )
}
