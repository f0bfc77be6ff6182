import { useEffect, useRef, useState } from 'react'
import type { SapFormPayload, SapRunPayload } from '../../../src/contract/web.ts'
import { EmptyCard, ErrorCard, Skeleton } from '../parts/states.tsx'
import { useQueryParams } from '../router.tsx'
import { RunProvider } from '../shown/run-context.ts'
import '../styles/sap.css'
import { useTitle } from '../use-page.ts'
import { useAlerts } from './alerts.ts'
import { ContextCard } from './context-card.tsx'
import { LiveCard } from './live-card.tsx'
import { LogCard } from './log-card.tsx'
import { StartForm } from './start-form.tsx'
import { readState } from './state.ts'
import { SteerCard } from './steer-card.tsx'
import { useSapForm, useSapRun, useSapStream } from './use-sap.ts'

/** Starts a refinement and follows it. The run stands in the address, so that a reload shows it again. */
export default function SapPage() {
  const [params, change] = useQueryParams()
  const id = params.get('run') ?? ''
  const form = useSapForm()
  const run = useSapRun(id)
  useTitle(run.data ? `SAP collaborate, ${readState(run.data).toLowerCase()}` : 'SAP collaborate')
  if (!form.data) {
    if (!form.error) return <Skeleton heights={[96, 420]} />
    return (
      <>
        <h1 className="text-2xl pt-7">SAP collaborate</h1>
        <ErrorCard error={form.error} onRetry={() => void form.refetch()} />
      </>
    )
  }
  return <LoadedPage form={form.data} id={id} run={run} onStarted={(started) => change({ run: started })} />
}

type LoadedProps = {
  readonly form: SapFormPayload
  readonly id: string
  readonly run: ReturnType<typeof useSapRun>
  readonly onStarted: (run: string) => void
}

function LoadedPage({ form, id, run, onStarted }: LoadedProps) {
  const { scenarios } = form
  const [scenario, setScenario] = useState(scenarios[0]?.id ?? '')
  return (
    <>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3 pt-7 pb-5">
        <div>
          <h1 className="text-2xl">SAP collaborate</h1>
          <p className="text-ink-2 mt-1">
            A text is written in phases. Each is scored, then kept, tried again or given to a stronger model.
          </p>
        </div>
        {scenarios.length > 0 && <ScenarioSelect scenarios={scenarios} value={scenario} onChange={setScenario} />}
      </div>
      <div className={`sap-page ${id === '' ? 'sap-page-empty' : ''}`}>
        <div className="sap-side">
          <div className="sap-start">
            <StartForm form={form} scenario={scenario} onStarted={onStarted} />
          </div>
          <div className="sap-steer">
            <SteerCard key={id} data={run.data} />
          </div>
        </div>
        <div className="sap-main">
          {id === '' ? (
            <div className="sap-live">
              <EmptyCard title="No run yet">Choose a task and start an iteration. What it says appears here.</EmptyCard>
            </div>
          ) : run.data ? (
            <LiveRun key={id} data={run.data} />
          ) : (
            <div className="sap-live">
              {run.error ? (
                <div className="-mt-7">
                  <ErrorCard error={run.error} onRetry={() => void run.refetch()} />
                </div>
              ) : (
                <div className="-mt-7">
                  <Skeleton heights={[300]} />
                </div>
              )}
            </div>
          )}
        </div>
      </div>
    </>
  )
}

function LiveRun({ data }: { readonly data: SapRunPayload }) {
  const { run, context, log } = data
  const top = useRef<HTMLDivElement>(null)
  useSapStream(run.row.id, run.seq)
  useAlerts(data)
  // On small screens the form is far below what it has started.
  useEffect(() => {
    const box = top.current?.getBoundingClientRect()
    if (box && box.bottom < 0) top.current?.scrollIntoView()
  }, [])
  return (
    <RunProvider value={run.row}>
      <div ref={top} className="sap-live">
        <LiveCard data={data} />
      </div>
      <div className="sap-context">
        <ContextCard pieces={context} />
      </div>
      <div className="sap-file">
        <LogCard log={log} />
      </div>
    </RunProvider>
  )
}

type ScenarioProps = {
  readonly scenarios: SapFormPayload['scenarios']
  readonly value: string
  readonly onChange: (scenario: string) => void
}

const ScenarioSelect = ({ scenarios, value, onChange }: ScenarioProps) => (
  <div className="ml-auto flex items-center gap-2 max-md:ml-0 max-md:w-full">
    <span className="tag">Demo</span>
    <select
      className="select max-md:flex-1 min-w-0"
      aria-label="Scenario"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {scenarios.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
      <option value="">none: call the models</option>
    </select>
  </div>
)
