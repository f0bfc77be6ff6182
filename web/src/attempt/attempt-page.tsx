import '../styles/attempt.css'
import type { AttemptPayload } from '../../../src/contract/web.ts'
import { ErrorCard, Skeleton } from '../parts/states.tsx'
import { Link, navigate, paths } from '../router.tsx'
import { useKeys } from '../shell/keyboard.ts'
import { RunProvider } from '../shown/run-context.ts'
import { useTitle } from '../use-page.ts'
import { Asides } from './asides.tsx'
import { Changes } from './changes.tsx'
import { Documents } from './documents.tsx'
import { Head } from './head.tsx'
import { JournalLines } from './journal.tsx'
import { LogLines } from './log-lines.tsx'
import { nameAttempt } from './look.ts'
import { Outputs } from './outputs.tsx'
import { Said } from './said.tsx'
import { countSteps, type Step, toSteps } from './steps.ts'
import { Toc, type TocEntry } from './toc.tsx'
import { Transcript } from './transcript.tsx'
import { useAttempt } from './use-attempt.ts'
import { Verdict } from './verdict.tsx'

type AttemptProps = { readonly id: string; readonly task: string; readonly n: number }

/** One attempt: its verdict first, then what shows why. */
export default function AttemptPage({ id, task, n }: AttemptProps) {
  const { data, error, refetch } = useAttempt(id, task, n)
  useTitle(data ? `${nameAttempt(data.task, n)}, ${data.run.name}` : '')
  useKeys({ Escape: () => navigate(paths.run(id)) })
  if (data) return <LoadedAttempt data={data} />
  if (!error) return <Skeleton heights={[120, 160, 320, 240]} />
  return (
    <>
      <h1 className="text-2xl pt-7">This attempt cannot be shown</h1>
      <ErrorCard error={error} onRetry={() => void refetch()} />
      <p>
        <Link className="link" href={paths.run(id)}>
          Open the run
        </Link>
      </p>
    </>
  )
}

function LoadedAttempt({ data }: { readonly data: AttemptPayload }) {
  const { lines, transcript, omitted, documents, outputs, events } = data
  const steps = toSteps(transcript)
  const patches = documents.filter(({ kind }) => kind === 'patch')
  const texts = documents.filter(({ kind }) => kind !== 'patch')
  return (
    <RunProvider value={data.run}>
      <Head data={data} />
      <div className="grid grid-cols-1 lg:grid-cols-[168px_minmax(0,1fr)_288px] gap-x-6 items-start pb-5">
        <Toc entries={listEntries(data, steps)} />
        <div className="min-w-0">
          <Verdict data={data} />
          <Said data={data} />
          {lines.length > 0 && <LogLines lines={lines} />}
          {steps.length > 0 && <Transcript steps={steps} omitted={omitted} />}
          {patches.length > 0 && <Changes patches={patches} />}
          {outputs.length > 0 && <Outputs data={data} />}
          {texts.length > 0 && <Documents documents={texts} />}
        </div>
        <aside className="min-w-0" aria-label="Facts of this attempt">
          <Asides data={data} />
          <JournalLines events={events} />
        </aside>
      </div>
    </RunProvider>
  )
}

/** The parts of the page that have content. */
function listEntries({ lines, documents, outputs, events }: AttemptPayload, steps: readonly Step[]): TocEntry[] {
  const files = documents.flatMap(({ kind, files = [] }) => (kind === 'patch' ? files : []))
  const texts = documents.filter(({ kind }) => kind !== 'patch')
  const has = (id: string, label: string, count: number): TocEntry[] => (count > 0 ? [{ id, label, count }] : [])
  return [
    { id: 'verdict', label: 'Verdict' },
    ...has('log', 'In the log', lines.length),
    ...has('did', 'What it did', countSteps(steps)),
    ...has('changes', 'Changes', files.length),
    ...has('outputs', 'Outputs', outputs.length),
    ...has('documents', 'Documents', texts.length),
    ...has('journal', 'Journal lines', events.length).map((entry) => ({ ...entry, isBeside: true })),
  ]
}
