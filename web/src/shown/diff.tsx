import { useState } from 'react'
import type { DiffLine } from '../../../src/contract/show.ts'

type DiffProps = {
  readonly path: string
  readonly lines: readonly DiffLine[]
  readonly added: number
  readonly removed: number
}

const classes: Readonly<Record<DiffLine['kind'], string>> = {
  name: 'diff-name',
  hunk: 'diff-hunk',
  added: 'diff-added',
  removed: 'diff-removed',
  same: '',
}
/** Longer diffs open on demand, so that a page of many files stays fast. */
const shownLines = 400

/** A unified diff. */
export function DiffView({ path, lines, added, removed }: DiffProps) {
  const [whole, setWhole] = useState(false)
  const shown = whole ? lines : lines.slice(0, shownLines)
  return (
    <div className="py-2">
      <p className="px-4 py-1 flex flex-wrap gap-x-3 text-sm">
        <span className="mono-sm">{path}</span>
        <span className="text-ink-2">
          +{added} −{removed}
        </span>
      </p>
      <div className="diff">
        {shown.map(({ kind, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the diff
          <div key={index} className={classes[kind]}>
            {text === '' ? ' ' : text}
          </div>
        ))}
      </div>
      {shown.length < lines.length && (
        <button type="button" className="btn btn-sm btn-quiet mx-2 mt-1" onClick={() => setWhole(true)}>
          Show {(lines.length - shown.length).toLocaleString('en')} more lines
        </button>
      )}
    </div>
  )
}
