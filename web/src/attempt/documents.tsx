import type { AttemptDocument } from '../../../src/contract/web.ts'
import { countOf } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Folded } from './folded.tsx'
import { countLines, Well } from './well.tsx'

/** So many texts are open at first. JSON is closed. */
const openTexts = 3

/** Prompts, replies and other texts of the attempt. */
export function Documents({ documents }: { readonly documents: readonly AttemptDocument[] }) {
  const open = documents.filter(({ text }) => formatJson(text) === null).slice(0, openTexts)
  return (
    <div id="documents">
      <Card title="Documents" note={countOf(documents.length, 'text', 'texts')}>
        <div className="divide-y divide-line">
          {documents.map((document, index) => (
            <Document
              // biome-ignore lint/suspicious/noArrayIndexKey: two documents may have the same name
              key={`${index}-${document.name}`}
              document={document}
              isOpen={open.includes(document)}
            />
          ))}
        </div>
      </Card>
    </div>
  )
}

type DocumentProps = { readonly document: AttemptDocument; readonly isOpen: boolean }

function Document({ document: { name, seq, text, cut }, isOpen }: DocumentProps) {
  if (text === '') {
    return (
      <div className="px-4 py-2.5">
        <p className="mono-sm">{name}</p>
        <p className="text-sm text-ink-2">Empty, or sealed: the key of this run is not on this machine.</p>
      </div>
    )
  }
  const shown = formatJson(text) ?? text
  return (
    <Folded name={name} note={`${countLines(shown)}, event ${seq}`} copy={text} isOpen={isOpen}>
      <Well text={shown} cut={cut} />
    </Folded>
  )
}

/** The text with an indentation if it is JSON. */
function formatJson(text: string): string | null {
  if (!/^\s*[{[]/.test(text)) return null
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return null
  }
}
