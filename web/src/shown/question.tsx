import { type ReactNode, useId, useState } from 'react'
import type { ChangeShown, QuestionShown } from '../../../src/contract/show.ts'
import { postRun } from '../api.ts'
import { startLarge } from '../format.ts'
import { showError, showToast } from '../parts/toasts.tsx'
import { refreshRun } from '../queries.ts'
import { Link, paths } from '../router.tsx'
import { useShownRun } from './run-context.ts'
import { Spans } from './spans.tsx'

/** The choice that accepts some of the changes: see `changes` in the contract. */
const pickingChoice = 'some'

type QuestionProps = {
  readonly question: QuestionShown
  /** The blocks of `question.about`, rendered. */
  readonly children?: ReactNode
}

/** A question with what it is about, its choices, and a field if it takes words. */
export function Question({ question, children }: QuestionProps) {
  const { asks, choices, takesText, about } = question
  const { id, name } = useShownRun()
  const [choice, setChoice] = useState<string | null>(null)
  const [text, setText] = useState('')
  const changes = about.flatMap((block) => (block.kind === 'changes' ? block.changes : []))
  const [picks, setPicks] = useState<readonly string[]>(() => changes.map((change) => change.id))
  const isPicking = choice === pickingChoice && changes.length > 0
  const [sent, setSent] = useState(false)
  const field = useId()
  const isReady = choices.length > 0 ? choice !== null : text.trim() !== ''
  const send = async (): Promise<void> => {
    setSent(true)
    try {
      await postRun(id, 'answer', {
        ...(choice !== null && { choice }),
        ...(isPicking && { picks }),
        ...(text.trim() !== '' && { text }),
      })
      showToast({ tone: 'ok', title: 'Answer sent', text: name })
      refreshRun(id)
    } catch (error) {
      showError(error)
      setSent(false)
    }
  }
  return (
    <form
      className="px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <p className="text-lg font-medium wrap-anywhere">
        <Spans line={startLarge(asks)} />
      </p>
      {about.length > 0 && <div className="-mx-4 mt-2">{children}</div>}
      {choices.length > 0 && (
        <fieldset className="mt-3 grid gap-2 grid-cols-[repeat(auto-fit,minmax(min(240px,100%),1fr))]" disabled={sent}>
          <legend className="sr-only">Answers</legend>
          {choices.map((one) => (
            <label
              key={one.choice}
              className={`flex items-start gap-2.5 px-3 py-2 border rounded-lg cursor-pointer hover:bg-sunk ${one.choice === choice ? 'border-ink' : 'border-line-2'}`}
            >
              <input
                type="radio"
                name={field}
                className="mt-1 accent-ink"
                checked={one.choice === choice}
                onChange={() => setChoice(one.choice)}
              />
              <span className="min-w-0">
                <span className="font-medium">{one.choice}</span>
                {one.does && <span className="block text-sm text-ink-2">{one.does}</span>}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {isPicking && <Picks changes={changes} picks={picks} onPicks={setPicks} />}
      {takesText && (
        <div className="mt-3">
          <label className="text-sm font-medium" htmlFor={field}>
            {choices.length > 0 ? 'In your words (optional)' : 'Your answer'}
          </label>
          <textarea
            id={field}
            className="textarea w-full mt-1.5 min-h-20"
            value={text}
            disabled={sent}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-2 mt-3">
        {changes.length > 0 && (
          <Link className="btn btn-sm btn-line" href={paths.waiting(id)}>
            Decide change by change
          </Link>
        )}
        <button type="submit" className="btn btn-sm btn-primary" disabled={!isReady || sent}>
          {sent ? 'Sent' : choice === null ? 'Answer' : `Answer: ${choice}`}
        </button>
      </div>
    </form>
  )
}

type PicksProps = {
  readonly changes: readonly ChangeShown[]
  readonly picks: readonly string[]
  readonly onPicks: (picks: readonly string[]) => void
}

/** Which of the changes to accept. */
const Picks = ({ changes, picks, onPicks }: PicksProps) => (
  <fieldset className="mt-3">
    <legend className="text-sm font-medium">Accept these</legend>
    {changes.map(({ id, title }) => (
      <label key={id} className="flex items-center gap-2 min-h-7">
        <input
          type="checkbox"
          className="accent-ink"
          checked={picks.includes(id)}
          onChange={({ target }) => onPicks(target.checked ? [...picks, id] : picks.filter((one) => one !== id))}
        />
        {title}
      </label>
    ))}
  </fieldset>
)
