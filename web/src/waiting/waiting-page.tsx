import '../styles/waiting.css'
import { useRef, useState } from 'react'
import type { WaitingPayload } from '../../../src/contract/web.ts'
import { CommandBox } from '../parts/command-box.tsx'
import { EmptyCard, ErrorCard, Skeleton } from '../parts/states.tsx'
import { useWaiting } from '../queries.ts'
import { Link, navigate, paths } from '../router.tsx'
import { useKeys } from '../shell/keyboard.ts'
import { RunProvider } from '../shown/run-context.ts'
import { useTitle } from '../use-page.ts'
import { Approval } from './approval.tsx'
import { findChanges } from './changes.ts'
import { Inbox } from './inbox.tsx'
import { type InboxItem, useInboxItems } from './inbox-items.ts'
import { QuestionPanel } from './question-panel.tsx'

type WaitingProps = { readonly id: string | null }

/** The runs that wait for a person, and the question of one of them. */
export default function WaitingPage({ id }: WaitingProps) {
  const { data, error, refetch } = useWaiting()
  useTitle(data && data.items.length > 0 ? `(${data.items.length}) Waiting for you` : 'Waiting for you')
  useKeys({ Escape: () => navigate(id === null ? paths.runs : paths.waiting()) })
  if (data) return <LoadedInbox id={id} data={data} />
  return error ? <ErrorCard error={error} onRetry={() => void refetch()} /> : <Skeleton heights={[120, 420]} />
}

type LoadedProps = WaitingProps & { readonly data: WaitingPayload }

function LoadedInbox({ id, data }: LoadedProps) {
  const root = useRef<HTMLDivElement>(null)
  const { current: isHeld } = useRef(() => root.current?.matches(':hover, :focus-within') ?? false)
  const first = data.items[0]?.row.id ?? null
  // Without an address of its own, the first question stays selected even when it is answered elsewhere.
  const [implied, setImplied] = useState(first)
  if (implied === null && first !== null) setImplied(first)
  const wanted = id ?? implied
  const { shown, release } = useInboxItems(data.items, wanted, isHeld)
  const selected = shown.find(({ item }) => item.row.id === wanted) ?? (id === null ? shown[0] : undefined)
  const changes = selected?.item.question ? findChanges(selected.item.question) : null
  if (id !== null && selected && changes) {
    return (
      <RunProvider value={selected.item.row}>
        <Approval key={selected.item.question?.id} inboxItem={selected} block={changes} />
      </RunProvider>
    )
  }
  const open = shown.filter(({ gone }) => gone === null).length
  return (
    <>
      <div className="pt-7 pb-5">
        <h1 className="text-2xl">Waiting for you</h1>
        <p className="text-ink-2 mt-1">{summarize(open)}</p>
      </div>
      {shown.length === 0 && id === null ? (
        <NothingWaits />
      ) : (
        <div className="grid grid-cols-1 lg:grid-cols-[320px_minmax(0,1fr)] gap-5 items-start pb-10">
          {id !== null && (
            <Link className="lg:hidden link justify-self-start text-sm" href={paths.waiting()}>
              All questions
            </Link>
          )}
          {shown.length > 0 && (
            <Inbox
              root={root}
              shown={shown}
              selected={selected?.item.row.id ?? null}
              isOpen={id !== null}
              onLeave={release}
            />
          )}
          {selected ? <Selected selected={selected} shown={shown} /> : <NotWaiting id={id ?? ''} />}
        </div>
      )}
    </>
  )
}

const summarize = (open: number): string => {
  if (open === 0) return 'No run needs an answer.'
  return open === 1
    ? '1 run stands still until you say something. Waiting costs nothing.'
    : `${open} runs stand still until you say something. Waiting costs nothing.`
}

type SelectedProps = { readonly selected: InboxItem; readonly shown: readonly InboxItem[] }

function Selected({ selected, shown }: SelectedProps) {
  const { row, question } = selected.item
  const next = shown.find(({ item, gone }) => gone === null && item.row.id !== row.id)
  return (
    <RunProvider value={row}>
      <QuestionPanel key={`${row.id} ${question?.id}`} inboxItem={selected} next={next?.item ?? null} />
    </RunProvider>
  )
}

const NothingWaits = () => (
  <div className="card px-4 py-10 grid justify-items-center gap-1 text-center">
    <p className="font-medium">Nothing waits for you.</p>
    <p className="text-sm text-ink-2">Questions appear here, and a count in the navigation. In a terminal:</p>
    <div className="mt-3 w-64 max-w-full text-left">
      <CommandBox command="pawl ls" />
    </div>
  </div>
)

const NotWaiting = ({ id }: { readonly id: string }) => (
  <EmptyCard title="This run does not wait for an answer.">
    <Link className="link" href={paths.run(id)}>
      Open the run
    </Link>
  </EmptyCard>
)
