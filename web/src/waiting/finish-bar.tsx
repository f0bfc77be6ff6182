import { useId } from 'react'
import type { QuestionShown } from '../../../src/contract/show.ts'
import type { WaitingItem } from '../../../src/contract/web.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Teeth } from '../parts/teeth.tsx'
import type { Tone } from '../standing.ts'
import { formatAnswerCommand } from './answer.ts'
import type { Change } from './changes.ts'
import type { ApprovalState } from './use-approval.ts'

type BarProps = {
  readonly item: WaitingItem
  readonly question: QuestionShown
  readonly changes: readonly Change[]
  readonly approval: ApprovalState
  readonly text: string
  readonly onText: (text: string) => void
  readonly onFinish: () => void
}

/** How far the decisions are, and the button that sends them. Enabled when nothing is open. */
export function FinishBar({ item, question, changes, approval, text, onText, onFinish }: BarProps) {
  const { decisions, answer, isSent, chooseAll } = approval
  const count = (decision: string): number => changes.filter(({ id }) => decisions[id] === decision).length
  const [accepted, rejected] = [count('accepted'), count('rejected')]
  const open = changes.length - accepted - rejected
  const tones = changes.map(({ id }): Tone | null => {
    if (decisions[id] === undefined) return null
    return decisions[id] === 'accepted' ? 'ok' : 'bad'
  })
  const command = answer && formatAnswerCommand(item, answer)
  const does = question.choices.find(({ choice }) => choice === answer?.choice)?.does
  return (
    <section className="finish" aria-label="Finish">
      <div className="finish-row">
        <span className="w-40 max-md:hidden">
          <Teeth teeth={tones} label={`${accepted} accepted, ${rejected} rejected, ${open} open`} />
        </span>
        <p>
          <b className="font-medium">{accepted} accepted</b>, {rejected} rejected, {open} open
        </p>
        {question.takesText && <Words text={text} onText={onText} />}
        {command ? (
          <p className="flex items-center gap-1 min-w-0 text-sm text-ink-2 max-lg:hidden">
            <span className="whitespace-nowrap">{does || 'In a terminal'}:</span>
            <code className="mono-sm truncate !whitespace-nowrap">{command}</code>
            <CopyButton text={command} label={`Copy the command: ${command}`} />
          </p>
        ) : (
          <p className="text-sm text-ink-3 max-lg:hidden">Finish when nothing is open.</p>
        )}
        <span className="ml-auto flex flex-wrap gap-2">
          <button
            type="button"
            className="btn btn-sm btn-line"
            disabled={isSent}
            onClick={() => chooseAll('rejected', false)}
          >
            Reject all
          </button>
          <button
            type="button"
            className="btn btn-sm btn-line"
            disabled={isSent || open === 0}
            onClick={() => chooseAll('accepted', true)}
          >
            Accept the {open} open
          </button>
          <button type="button" className="btn btn-sm btn-primary" disabled={!answer || isSent} onClick={onFinish}>
            {isSent ? 'Sent' : 'Finish'} <kbd className="kbd">Ctrl ↵</kbd>
          </button>
        </span>
      </div>
    </section>
  )
}

function Words({ text, onText }: Pick<BarProps, 'text' | 'onText'>) {
  const id = useId()
  return (
    <>
      <label className="sr-only" htmlFor={id}>
        In your words, optional
      </label>
      <input
        id={id}
        className="input flex-1 min-w-40"
        placeholder="In your words (optional)"
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
    </>
  )
}
