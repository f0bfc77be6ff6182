import { type KeyboardEvent, useId, useState } from 'react'
import type { RunPayload } from '../../../src/contract/web.ts'
import { LogPanel } from '../log/log-panel.tsx'
import type { LogStore } from '../log/log-store.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { ErrorCard, Skeleton } from '../parts/states.tsx'
import { useRunJson } from '../queries.ts'
import { useKeys } from '../shell/keyboard.ts'

const tabs = ['Log', 'Raw JSON'] as const
type Tab = (typeof tabs)[number]

type RecordsProps = { readonly data: RunPayload; readonly store: LogStore; readonly isLive: boolean }

/** The log of the run and its data for programs. */
export function Records({ data, store, isLive }: RecordsProps) {
  const [tab, setTab] = useState<Tab>('Log')
  const id = useId()
  const { row, timeline } = data
  useKeys({ '.': () => setTab(tab === 'Log' ? 'Raw JSON' : 'Log') })
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent<HTMLElement>): void => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
    const next = tab === 'Log' ? 'Raw JSON' : 'Log'
    setTab(next)
    currentTarget.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus()
  }
  return (
    <section className="card overflow-hidden mb-5" aria-label="Log and records">
      <div className="px-2 border-b border-line">
        <div className="tabs-line" role="tablist" aria-label="Records of this run" tabIndex={-1} onKeyDown={onKeyDown}>
          {tabs.map((one) => (
            <button
              key={one}
              id={`${id}-${one}`}
              type="button"
              role="tab"
              data-tab={one}
              aria-selected={one === tab}
              aria-controls={id}
              tabIndex={one === tab ? 0 : -1}
              onClick={() => setTab(one)}
            >
              {one}
            </button>
          ))}
        </div>
      </div>
      <div id={id} role="tabpanel" aria-labelledby={`${id}-${tab}`}>
        {tab === 'Log' ? (
          <LogPanel run={row} store={store} isLive={isLive} from={timeline.from || row.created} to={row.at} />
        ) : (
          <RunJson run={row.id} />
        )}
      </div>
    </section>
  )
}

/** `seq`: after that event. */
export function RunJson({ run, seq = null }: { readonly run: string; readonly seq?: number | null }) {
  const { data, error, refetch } = useRunJson(run, seq)
  if (data === undefined) {
    return error ? <ErrorCard error={error} onRetry={() => void refetch()} /> : <Skeleton heights={[240]} />
  }
  return <RawJson json={data} />
}

export function RawJson({ json }: { readonly json: unknown }) {
  const text = JSON.stringify(json, null, 2)
  return (
    <div className="relative p-3">
      <div className="absolute right-5 top-5">
        <CopyButton text={text} label="Copy the JSON" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="pre max-h-[480px] overflow-auto" tabIndex={0} aria-label="Raw JSON">
        {text}
      </section>
    </div>
  )
}
