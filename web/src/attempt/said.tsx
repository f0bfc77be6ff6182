import type { AttemptPayload } from '../../../src/contract/web.ts'
import { countOf } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Blocks } from '../shown/blocks.tsx'

const mostLetters = 1200

/** What the agent said at the end, beside what was counted and judged. */
export function Said({ data }: { readonly data: AttemptPayload }) {
  const said = data.transcript.findLast(({ kind }) => kind === 'message' || kind === 'output')
  const text = said && 'text' in said ? said.text.trim() : ''
  const rows = [...data.evidence, ...countChanges(data)]
  if (text === '' && rows.length === 0) return null
  const isBoth = text !== '' && rows.length > 0
  return (
    <div className={`grid grid-cols-1 gap-x-5 ${isBoth ? 'xl:grid-cols-2' : ''}`}>
      {text !== '' && (
        <Card title="What it said" className="self-start">
          <blockquote className="px-4 py-3 whitespace-pre-wrap wrap-anywhere text-ink-2">
            {text.length > mostLetters ? `…${text.slice(-mostLetters)}` : text}
          </blockquote>
        </Card>
      )}
      {rows.length > 0 && (
        <Card title="What is so" className="self-start">
          <Blocks blocks={[{ kind: 'facts', rows }]} />
        </Card>
      )}
    </div>
  )
}

function countChanges({ documents }: AttemptPayload): AttemptPayload['evidence'] {
  const files = documents.flatMap(({ files = [] }) => files)
  if (files.length === 0) return []
  const sum = (of: (file: (typeof files)[number]) => number): number => files.reduce((all, file) => all + of(file), 0)
  const lines = `+${sum(({ added }) => added)} \u2212${sum(({ removed }) => removed)}`
  return [{ name: 'changed', lines: [[`${countOf(files.length, 'file', 'files')}, ${lines}`]] }]
}
