import { useState } from 'react'
import type { RunPayload, RunRow } from '../../../src/contract/web.ts'
import { now } from '../clock.ts'
import { capitalize, formatMoment, shortId } from '../format.ts'
import { StandingChip } from '../parts/chip.tsx'
import { Link, paths } from '../router.tsx'
import { RunProvider } from '../shown/run-context.ts'
import { Spans } from '../shown/spans.tsx'
import { RunPicker } from './run-picker.tsx'

type SideProps = {
  readonly letter: 'A' | 'B'
  readonly id: string
  readonly row: RunRow | undefined
  readonly headline: RunPayload['headline'] | null
  /** The runs to choose from. */
  readonly rows: readonly RunRow[]
  readonly onPick: (id: string) => void
}

/** One of the two runs, or the list to choose it from. */
export function Side({ letter, id, row, headline, rows, onPick }: SideProps) {
  const [isChanging, setChanging] = useState(false)
  const isOpen = isChanging || id === ''
  return (
    <section className="card min-w-0 self-start" aria-label={`Run ${letter}`}>
      <div className="px-4 py-3 flex items-center gap-3 min-w-0">
        <span className="cmp-letter" aria-hidden="true">
          {letter}
        </span>
        <div className="min-w-0 flex-1">
          {row ? <Chosen row={row} headline={headline} /> : <p>{id || 'Choose a run'}</p>}
        </div>
        {id !== '' && (
          <button
            type="button"
            className="btn btn-sm btn-line self-start"
            aria-expanded={isChanging}
            aria-label={`Change run ${letter}`}
            onClick={() => setChanging(!isChanging)}
          >
            Change
          </button>
        )}
      </div>
      {isOpen && (
        <RunPicker
          label={`Find run ${letter}`}
          rows={rows}
          autoFocus={isChanging}
          onPick={(picked) => {
            setChanging(false)
            onPick(picked)
          }}
          {...(id !== '' && { onCancel: () => setChanging(false) })}
        />
      )}
    </section>
  )
}

const Chosen = ({ row, headline }: { readonly row: RunRow } & Pick<SideProps, 'headline'>) => (
  <>
    <p className="flex flex-wrap items-center gap-x-2">
      <Link className="font-medium link truncate" href={paths.run(row.id)}>
        {row.name}
      </Link>
      <span className="mono text-xs text-ink-3">{shortId(row.id)}</span>
      <StandingChip run={row} plain />
    </p>
    <p className="text-sm text-ink-2 truncate">
      {capitalize(row.mode)}, {row.workspace}, {formatMoment(row.created, now())}
    </p>
    {headline && (
      <RunProvider value={row}>
        <p className="text-sm mt-1 wrap-anywhere">
          <Spans line={headline} />
        </p>
      </RunProvider>
    )}
  </>
)
