import { useState } from 'react'
import type { QuestionShown } from '../../../src/contract/show.ts'
import type { WaitingItem } from '../../../src/contract/web.ts'
import { countOf, startLarge } from '../format.ts'
import { Icon } from '../parts/icon.tsx'
import { Link, paths } from '../router.tsx'
import { useKeys } from '../shell/keyboard.ts'
import { Blocks } from '../shown/blocks.tsx'
import { hasContent } from '../shown/sections.tsx'
import { Spans } from '../shown/spans.tsx'
import { ChangeList } from './change-list.tsx'
import { ChangeNav } from './change-nav.tsx'
import type { ChangesBlock, Decision } from './changes.ts'
import { FinishBar } from './finish-bar.tsx'
import { Gone } from './gone.tsx'
import type { InboxItem } from './inbox-items.ts'
import { PassagePanel } from './passages.tsx'
import { useApproval } from './use-approval.ts'

type ApprovalProps = { readonly inboxItem: InboxItem; readonly block: ChangesBlock }

/** Changes to accept or reject one by one: what was counted, what does not hold, then the changes with their text. */
export function Approval({ inboxItem, block }: ApprovalProps) {
  const { item, gone } = inboxItem
  const { question } = item
  if (!question) return null
  return (
    <>
      <Head item={item} question={question} />
      <Counted counted={block.counted} />
      {block.doubts.length > 0 && <Doubts doubts={block.doubts} />}
      <Decide item={item} question={question} block={block} isGone={gone !== null} />
      {gone && (
        <section className="finish" aria-label="Answered">
          <div className="finish-row text-ink-2" role="status">
            <Icon name="check" />
            <Gone inboxItem={inboxItem} />
            <Link className="btn btn-sm btn-line ml-auto" href={paths.waiting()}>
              Other questions
            </Link>
          </div>
        </section>
      )}
    </>
  )
}

type HeadProps = { readonly item: WaitingItem; readonly question: QuestionShown }

function Head({ item: { row }, question }: HeadProps) {
  const about = question.about.filter((one) => one.kind !== 'changes' && hasContent(one))
  return (
    <>
      <nav className="text-sm text-ink-3 flex flex-wrap items-center gap-1.5 pt-5" aria-label="Path">
        <Link className="hover:text-ink" href={paths.waiting()}>
          Waiting for you
        </Link>
        <Icon name="right" size={12} />
        <Link className="hover:text-ink wrap-anywhere" href={paths.run(row.id)}>
          {row.name}
          {row.progress && `, ${row.progress}`}
        </Link>
      </nav>
      <div className="pt-1 pb-4">
        <h1 className="text-2xl wrap-anywhere">
          <Spans line={startLarge(question.asks)} />
        </h1>
      </div>
      {about.length > 0 && (
        <section className="card mb-5 px-1 py-2" aria-label="What it is about">
          <Blocks blocks={about} />
        </section>
      )}
    </>
  )
}

const Counted = ({ counted }: { readonly counted: readonly string[] }) =>
  counted.length > 0 && (
    <section className="card mb-5 flex flex-wrap items-center gap-x-7 gap-y-1 px-5 py-3" aria-label="Counted">
      <span className="text-sm text-ink-3">Counted, not told:</span>
      {counted.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </section>
  )

const Doubts = ({ doubts }: { readonly doubts: readonly string[] }) => (
  <section className="card card-edge st st-bad mb-5 px-5 py-3 flex gap-3" aria-labelledby="doubts">
    <span className="fg mt-0.5">
      <Icon name="bad" />
    </span>
    <div className="min-w-0">
      <h2 id="doubts" className="!font-medium">
        {countOf(doubts.length, 'thing in the summary does', 'things in the summary do')} not hold
      </h2>
      <ul className="text-ink-2 mt-1 list-disc pl-4 wrap-anywhere">
        {doubts.map((doubt, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a doubt is its place in the list
          <li key={index}>{doubt}</li>
        ))}
      </ul>
    </div>
  </section>
)

type DecideProps = HeadProps & { readonly block: ChangesBlock; readonly isGone: boolean }

function Decide({ item, question, block, isGone }: DecideProps) {
  const { changes } = block
  const approval = useApproval(item.row, question, block)
  const [isWhole, setWhole] = useState(false)
  const [text, setText] = useState('')
  const finish = (): void => void approval.finish(question.takesText ? text : '')
  const show = (id: string): void => document.getElementById(`change-${id}`)?.scrollIntoView({ block: 'nearest' })
  const choose = (decision: Decision): void => {
    if (!isGone) show(approval.chooseCurrent(decision))
  }
  useKeys({
    a: () => choose('accepted'),
    r: () => choose('rejected'),
    j: () => show(approval.move(1)),
    k: () => show(approval.move(-1)),
    d: () => setWhole(!isWhole),
    'Ctrl+enter': finish,
  })
  const current = changes.find(({ id }) => id === approval.current) ?? changes[0]!
  return (
    <>
      <div className="grid grid-cols-1 lg:grid-cols-[200px_minmax(0,1fr)_420px] gap-5 items-start pb-32">
        <ChangeNav changes={changes} approval={approval} />
        <ChangeList changes={changes} approval={approval} isGone={isGone} />
        <PassagePanel changes={isWhole ? changes : [current]} isWhole={isWhole} onWhole={setWhole} />
      </div>
      {!isGone && (
        <FinishBar
          item={item}
          question={question}
          changes={changes}
          approval={approval}
          text={text}
          onText={setText}
          onFinish={finish}
        />
      )}
    </>
  )
}
