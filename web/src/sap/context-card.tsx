import { useState } from 'react'
import { countOf } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'
import { findHeld, type Held, type Piece } from './context.ts'

/** Longer texts are cut until somebody asks for all. */
const shownLength = 900

/** The texts so far and what people said. A mark shows where a text contains an earlier one. */
export function ContextCard({ pieces }: { readonly pieces: readonly Piece[] }) {
  return (
    <Card
      title="Accumulated context"
      note={<span className="max-md:hidden">what the next call is given</span>}
      actions={<span className="text-xs text-ink-3">{countOf(pieces.length, 'text', 'texts')}</span>}
    >
      {pieces.length === 0 ? (
        <p className="px-4 py-4 text-sm text-ink-2">No text has been written yet.</p>
      ) : (
        <ol className="p-4 grid gap-4" aria-label="Accumulated context">
          {pieces.map((piece, index) => (
            <ContextPiece key={`${piece.seq}-${piece.label}`} piece={piece} held={findHeld(pieces, index)} />
          ))}
        </ol>
      )}
    </Card>
  )
}

function ContextPiece({ piece: { label, by, text }, held }: { readonly piece: Piece; readonly held: Held | null }) {
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > shownLength
  return (
    <li className={`sap-piece ${by ? 'sap-piece-said' : ''}`}>
      <p className="text-xs text-ink-3 flex flex-wrap items-center gap-x-2 gap-y-0.5">
        {by ? `Said by ${by}` : label}
        {held && (
          <span className="st st-ok fg inline-flex items-center gap-1">
            <Icon name="check" size={12} />
            contains {held.label}
          </span>
        )}
      </p>
      <p className={`sap-text ${isLong && !isOpen ? 'sap-text-cut' : ''}`}>
        {held ? (
          <>
            {text.slice(0, held.from)}
            <span className="sap-held">{text.slice(held.from, held.to)}</span>
            {text.slice(held.to)}
          </>
        ) : (
          text
        )}
      </p>
      {isLong && (
        <button
          type="button"
          className="link text-sm mt-1 min-h-6"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : `Show all ${countOf(text.length, 'character', 'characters')}`}
        </button>
      )}
    </li>
  )
}
