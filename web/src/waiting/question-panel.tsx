import type { WaitingItem } from '../../../src/contract/web.ts'
import { now } from '../clock.ts'
import { capitalize, countOf, formatMoment, startLarge } from '../format.ts'
import { CommandBox } from '../parts/command-box.tsx'
import { Icon } from '../parts/icon.tsx'
import { useRun } from '../queries.ts'
import { Link, paths } from '../router.tsx'
import { trySteering } from '../run/steer.ts'
import { Blocks } from '../shown/blocks.tsx'
import { Notices } from '../shown/notices.tsx'
import { hasContent } from '../shown/sections.tsx'
import { Spans, Time } from '../shown/spans.tsx'
import { AnswerForm } from './answer-form.tsx'
import { findChanges } from './changes.ts'
import { Gone } from './gone.tsx'
import type { InboxItem } from './inbox-items.ts'

type PanelProps = {
  readonly inboxItem: InboxItem
  /** Another run that waits. */
  readonly next: WaitingItem | null
}

/** The question with what it is about, and the answer. Without a question: what the run needs. */
export function QuestionPanel({ inboxItem, next }: PanelProps) {
  const { item, gone } = inboxItem
  const { row, question, since } = item
  return (
    <article className="card min-w-0 overflow-hidden" aria-labelledby="question">
      <header className={`px-6 max-md:px-4 pt-5 pb-4 ${gone ? 'inbox-gone' : ''}`}>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-2">
          <span className="st st-you fg">
            <Icon name="you" />
          </span>
          <span>
            {row.name} {question ? 'asks' : 'is blocked'}, since <Time at={since} text={formatMoment(since, now())} />
          </span>
          <Link className="link ml-auto" href={paths.run(row.id)}>
            Open the run
          </Link>
        </p>
        <h2 id="question" className="text-xl mt-2 wrap-anywhere">
          {question ? <Spans line={startLarge(question.asks)} /> : capitalize(row.says)}
        </h2>
      </header>
      {gone ? (
        <Answered inboxItem={inboxItem} next={next} />
      ) : (
        <>
          <About item={item} />
          {question ? <AnswerForm item={item} question={question} /> : <Needs item={item} />}
        </>
      )}
    </article>
  )
}

/** What the question is about. Without a text of its own: what the run says about where it stands. */
function About({ item: { row, question } }: { readonly item: WaitingItem }) {
  const blocks = (question?.about ?? []).filter(hasContent)
  const changes = question && findChanges(question)
  if (changes) {
    return (
      <section className="about" aria-label="What it is about">
        <div className="-mt-3 mb-2 about-blocks">
          <Blocks blocks={blocks.filter(({ kind }) => kind !== 'changes')} />
        </div>
        <p className="px-6 max-md:px-4 flex flex-wrap items-center gap-x-4 gap-y-3">
          <span className="min-w-0 flex-1 basis-60 text-ink-2">{changes.counted.join(' · ')}</span>
          <Link className="btn btn-sm btn-primary" href={paths.waiting(row.id)}>
            Decide {countOf(changes.changes.length, 'change', 'changes')} one by one
            <Icon name="right" />
          </Link>
        </p>
      </section>
    )
  }
  if (blocks.length === 0) return <Standing id={row.id} />
  return (
    <section className="about about-blocks" aria-label="What it is about">
      <Blocks blocks={blocks} />
    </section>
  )
}

function Standing({ id }: { readonly id: string }) {
  const { data } = useRun(id)
  const why = (data?.why ?? []).filter(hasContent)
  if (!data || (why.length === 0 && data.notices.length === 0)) return null
  return (
    <section className="about about-blocks" aria-label="What it is about">
      {data.notices.length > 0 && <Notices notices={data.notices} />}
      <Blocks blocks={why} />
    </section>
  )
}

/** A run without a question: the commands that go on. */
function Needs({ item: { row, commands } }: { readonly item: WaitingItem }) {
  return (
    <div className="about px-6 max-md:px-4 grid gap-4">
      {commands.map((step) => (
        <div key={step.command}>
          <div className="flex flex-wrap items-center gap-3">
            {step.can && step.action.do === 'resume' && (
              <button
                type="button"
                className="btn btn-sm btn-primary"
                onClick={() => trySteering(row.id, 'resume', {})}
              >
                <Icon name="play" />
                Resume
              </button>
            )}
            <div className="flex-1 min-w-60 max-w-2xl">
              <CommandBox command={step.command} />
            </div>
          </div>
        </div>
      ))}
      {commands.length === 0 && <p className="text-ink-2">Open the run to see what it needs.</p>}
    </div>
  )
}

function Answered({ inboxItem, next }: PanelProps) {
  return (
    <div className="about px-6 max-md:px-4 flex flex-wrap items-center gap-x-4 gap-y-3">
      <p className="flex items-center gap-2 text-ink-2">
        <Icon name="check" />
        <Gone inboxItem={inboxItem} />
      </p>
      {next && (
        <Link className="btn btn-sm btn-line ml-auto max-md:ml-0" href={paths.waiting(next.row.id)}>
          Next: {next.row.name}
          <Icon name="right" />
        </Link>
      )}
    </div>
  )
}
