import { useState } from 'react'
import type { RunPayload } from '../../../src/contract/web.ts'
import { capitalize } from '../format.ts'
import { StandingChip } from '../parts/chip.tsx'
import { copyText } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { Link, paths } from '../router.tsx'
import { useKeys } from '../shell/keyboard.ts'
import { modeIcon } from '../standing.ts'
import { ForkDialog, StopDialog } from './dialogs.tsx'
import { trySteering } from './steer.ts'

/** The name of the run, where it stands, and what can be done with it. */
export function Head({ data }: { readonly data: RunPayload }) {
  const { row } = data
  return (
    <>
      <nav className="text-sm text-ink-3 flex items-center gap-1.5 pt-5" aria-label="Path">
        <Link className="hover:text-ink" href={paths.runs}>
          Runs
        </Link>
        <Icon name="right" size={12} />
        <Link className="hover:text-ink truncate" href={`/?${new URLSearchParams({ folder: row.workspace })}`}>
          {row.workspace}
        </Link>
      </nav>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pt-1 pb-4">
        <h1 className="text-2xl wrap-anywhere">{row.name}</h1>
        <StandingChip run={row} />
        <p className="text-sm text-ink-2 flex items-center gap-1.5 max-md:w-full">
          <Icon name={modeIcon(row.mode)} />
          {capitalize(row.mode)}
          {row.progress && `, ${row.progress}`}
        </p>
        <Controls data={data} />
      </div>
    </>
  )
}

type Asked = 'stop' | 'fork' | null

function Controls({ data: { row, can, lastSeq } }: { readonly data: RunPayload }) {
  const [asked, setAsked] = useState<Asked>(null)
  const close = (): void => setAsked(null)
  const pause = (): void => trySteering(row.id, 'pause', {})
  const unpause = (): void => trySteering(row.id, 'unpause', {})
  const resume = (): void => trySteering(row.id, 'resume', {})
  const toggle = can.pause ? pause : can.unpause ? unpause : can.resume ? resume : () => {}
  useKeys({ p: toggle })
  const isSteered = can.pause || can.unpause || can.resume
  return (
    <div className="ml-auto flex flex-wrap gap-2 max-md:ml-0">
      {isSteered && (
        <button type="button" className="btn btn-sm btn-line" onClick={toggle}>
          <Icon name={can.pause ? 'pause' : 'play'} />
          {can.pause ? 'Pause after this attempt' : 'Resume'} <kbd className="kbd">p</kbd>
        </button>
      )}
      {can.fork && (
        <button type="button" className="btn btn-sm btn-line" onClick={() => setAsked('fork')}>
          <Icon name="fork" />
          Fork…
        </button>
      )}
      {can.stop ? (
        <button type="button" className="btn btn-sm btn-danger" onClick={() => setAsked('stop')}>
          <Icon name="stop" />
          Stop…
        </button>
      ) : (
        <Link className="btn btn-sm btn-line" href={paths.replay(row.id)}>
          <Icon name="play" />
          Replay
        </Link>
      )}
      <Menu label="More: replay, compare, copy">
        {(done) => (
          <>
            <Link href={paths.replay(row.id)}>
              <Icon name="play" />
              Replay
            </Link>
            <Link href={paths.compare(row.id)}>
              <Icon name="compare" />
              Compare with another
            </Link>
            <button
              type="button"
              onClick={() => {
                void copyText(row.id)
                done()
              }}
            >
              <Icon name="copy" />
              Copy the run id
            </button>
          </>
        )}
      </Menu>
      {asked === 'stop' && <StopDialog row={row} onClose={close} />}
      {asked === 'fork' && <ForkDialog row={row} lastSeq={lastSeq} onClose={close} />}
    </div>
  )
}
