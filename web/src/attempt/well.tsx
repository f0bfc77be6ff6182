import { useState } from 'react'
import { countOf, formatCount } from '../format.ts'

/** Very long lines count as several, so that a text without breaks is shortened too. */
const lineLetters = 400

type LongTextProps = { readonly text: string; readonly lines: number; readonly fromEnd?: boolean }

/** A text of which the first lines are shown, or the last ones. The rest opens on demand. */
export function LongText({ text, lines: most, fromEnd = false }: LongTextProps) {
  const [isWhole, setWhole] = useState(false)
  const lines = text.split('\n')
  const limit = most * lineLetters
  const isShort = lines.length <= most && text.length <= limit
  if (isShort || isWhole) return text
  const part = fromEnd ? lines.slice(-most).join('\n').slice(-limit) : lines.slice(0, most).join('\n').slice(0, limit)
  const button = (
    <button type="button" className="btn btn-sm btn-quiet !h-7 -ml-2 font-sans" onClick={() => setWhole(true)}>
      {lines.length > most ? `Show all ${formatCount(lines.length)} lines` : 'Show all'}
    </button>
  )
  return (
    <>
      {fromEnd && <span className="block pb-1">{button}</span>}
      {part}
      {!fromEnd && <span className="block pt-1">{button}</span>}
    </>
  )
}

type WellProps = { readonly text: string; readonly cut: boolean; readonly fromEnd?: boolean }

const wellLines = 52

/** A long text in a sunk well. */
export const Well = ({ text, cut, fromEnd = false }: WellProps) => (
  <>
    <pre className="pre">
      <LongText text={text.replace(/\n+$/, '')} lines={wellLines} fromEnd={fromEnd} />
    </pre>
    {cut && (
      <p className="text-xs text-ink-3 mt-1.5">
        {fromEnd ? 'This is the end of a longer output.' : 'The text is longer; this is its beginning.'}
      </p>
    )}
  </>
)

export const countLines = (text: string): string => countOf(text.trimEnd().split('\n').length, 'line', 'lines')
