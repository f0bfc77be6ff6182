import { useId, useState } from 'react'
import type { QuestionShown } from '../../../src/contract/show.ts'
import type { WaitingItem } from '../../../src/contract/web.ts'
import { capitalize } from '../format.ts'
import { CommandBox } from '../parts/command-box.tsx'
import { Link, paths } from '../router.tsx'
import { useKeys } from '../shell/keyboard.ts'
import { formatAnswerCommand, sendAnswer } from './answer.ts'
import { findChanges } from './changes.ts'
import { keepDraft, readDraft } from './drafts.ts'

/** The choice that accepts some of the changes: see `changes` in the contract. */
const pickingChoice = 'some'

type FormProps = { readonly item: WaitingItem; readonly question: QuestionShown }

/** The choices with what each does, a field if the answer may have words, and the same as a command. */
export function AnswerForm({ item, question }: FormProps) {
  const { row } = item
  const { choices, takesText } = question
  const [draft, setDraft] = useState(() => readDraft(row.id, question.id))
  const changes = findChanges(question)
  const [isSent, setSent] = useState(false)
  const field = useId()
  const change = (next: typeof draft): void => {
    keepDraft(row.id, question.id, next)
    setDraft(next)
  }
  const { choice, text } = draft
  // A question without choices is a pause: words are welcome, and not needed.
  const isReady = !isSent && (choices.length === 0 || choice !== null)
  const send = async (): Promise<void> => {
    if (!isReady) return
    setSent(true)
    const body = { ...(choice !== null && { choice }), ...(takesText && text.trim() !== '' && { text }) }
    if (!(await sendAnswer(row, body))) setSent(false)
  }
  useKeys({ 'Ctrl+enter': () => void send() })
  const command = formatAnswerCommand(item, choice === null ? null : { choice })
  return (
    <form
      className="about px-6 max-md:px-4"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {choices.length > 0 && (
        <fieldset disabled={isSent}>
          <legend className="font-medium mb-2.5">What now?</legend>
          <div className="grid gap-2.5 grid-cols-[repeat(auto-fit,minmax(min(220px,100%),1fr))]">
            {choices.map((one) => (
              <Choice
                key={one.choice}
                choice={one}
                name={field}
                picksAt={one.choice === pickingChoice ? (changes ? paths.waiting(row.id) : null) : undefined}
                isChosen={one.choice === choice}
                onChoose={() => change({ ...draft, choice: one.choice })}
              />
            ))}
          </div>
        </fieldset>
      )}
      {takesText && (
        <div className={choices.length > 0 ? 'mt-5' : ''}>
          <label className="font-medium" htmlFor={`${field}-text`}>
            {choices.length > 0 ? 'In your words' : 'Your answer'}
            {choices.length > 0 && <span className="font-normal text-ink-3"> optional</span>}
          </label>
          <textarea
            id={`${field}-text`}
            className="textarea w-full mt-1.5 min-h-20"
            value={text}
            disabled={isSent}
            onChange={({ target }) => change({ ...draft, text: target.value })}
          />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3 mt-4">
        <button type="submit" className="btn btn-sm btn-primary" disabled={!isReady}>
          {isSent ? 'Sent' : choices.length === 0 ? 'Continue' : 'Send the answer'} <kbd className="kbd">Ctrl ↵</kbd>
        </button>
        {command && (
          <>
            <span className="text-sm text-ink-3 max-md:hidden">or in a terminal</span>
            <div className="flex-1 min-w-60">
              <CommandBox command={command} />
            </div>
          </>
        )}
      </div>
    </form>
  )
}

type ChoiceProps = {
  readonly choice: QuestionShown['choices'][number]
  readonly name: string
  /** The answer has to name single changes: the page where they are picked, or null if none are known here. */
  readonly picksAt: string | null | undefined
  readonly isChosen: boolean
  readonly onChoose: () => void
}

const Choice = ({ choice: { choice, does }, name, picksAt, isChosen, onChoose }: ChoiceProps) => (
  <label className={`choice ${picksAt !== undefined ? 'choice-off' : ''}`}>
    <input type="radio" name={name} checked={isChosen} disabled={picksAt !== undefined} onChange={onChoose} />
    <span className="min-w-0">
      <span className="font-medium">{capitalize(choice.replaceAll('-', ' '))}</span>
      {does && <span className="block text-sm text-ink-2">{capitalize(does)}</span>}
      {picksAt === null && <span className="block text-xs text-ink-3 mt-1">Pick them in a terminal.</span>}
      {picksAt && (
        <Link className="link block text-sm mt-1" href={picksAt}>
          Decide one by one
        </Link>
      )}
    </span>
  </label>
)
