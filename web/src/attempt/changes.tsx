import { useState } from 'react'
import type { AttemptDocument, FileDiff } from '../../../src/contract/web.ts'
import { countOf, formatCount } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { isAdded, isRemoved, numberLines } from './number-lines.ts'

/** Longer diffs are closed at first. */
const openLines = 300
/** Lines that are drawn before somebody asks for all. */
const shownLines = 600

/** What the attempt changed in files. */
export function Changes({ patches }: { readonly patches: readonly AttemptDocument[] }) {
  const files = patches.flatMap((patch) => patch.files ?? [])
  const sum = (key: 'added' | 'removed'): number => files.reduce((total, file) => total + file[key], 0)
  const isSealed = patches.every(({ text }) => text === '')
  return (
    <div id="changes">
      <Card
        title="Changes"
        note={`${countOf(files.length, 'file', 'files')}, +${formatCount(sum('added'))} −${formatCount(sum('removed'))}`}
      >
        {files.length === 0 && (
          <p className="px-4 py-3 text-ink-2">
            {isSealed ? 'Sealed: the key of this run is not on this machine.' : 'No file changed.'}
          </p>
        )}
        <div className="divide-y divide-line">
          {files.map((file, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two patches may name the same file
            <File key={`${index}-${file.path}`} file={file} />
          ))}
        </div>
        {patches.some(({ cut }) => cut) && (
          <p className="px-4 py-2.5 border-t border-line text-sm text-ink-2">
            The diff is longer; this is its beginning.
          </p>
        )}
      </Card>
    </div>
  )
}

function File({ file }: { readonly file: FileDiff }) {
  const { path, lines, added, removed } = file
  return (
    <details open={lines.length <= openLines}>
      <summary className="flex items-center gap-2 px-4 min-h-10 py-1">
        <Icon name="right" size={12} className="chev" />
        <Icon name="file" className="text-ink-3 max-md:hidden" />
        <code className="mono-sm min-w-0">{path}</code>
        {isAdded(lines) && <span className="tag">added</span>}
        {isRemoved(lines) && <span className="tag">removed</span>}
        <span className="ml-auto text-xs text-ink-2 whitespace-nowrap">
          +{formatCount(added)} −{formatCount(removed)}
        </span>
      </summary>
      {lines.length === 0 ? (
        <p className="px-4 pb-3 text-sm text-ink-2">No lines to show: a binary file, or only its mode changed.</p>
      ) : (
        <Lines file={file} />
      )}
    </details>
  )
}

const signs = { added: '+', removed: '−', same: ' ', hunk: '', name: '' }

function Lines({ file: { lines } }: { readonly file: FileDiff }) {
  const [isWhole, setWhole] = useState(false)
  const numbered = numberLines(isWhole ? lines : lines.slice(0, shownLines))
  return (
    <>
      <ScrollArea>
        <div className="fdiff">
          {numbered.map(({ kind, before, after, text }, index) =>
            kind === 'hunk' || kind === 'name' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the diff
              <div key={index} className="fdiff-hunk">
                <span />
                <span />
                <span />
                <code>{text}</code>
              </div>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the diff
              <div key={index} className={`fdiff-${kind}`}>
                <span>{before}</span>
                <span>{after}</span>
                <span>{signs[kind]}</span>
                <code>{text}</code>
              </div>
            ),
          )}
        </div>
      </ScrollArea>
      {!isWhole && lines.length > shownLines && (
        <button type="button" className="btn btn-sm btn-quiet mx-2 mb-2" onClick={() => setWhole(true)}>
          Show all {formatCount(lines.length)} lines
        </button>
      )}
    </>
  )
}
