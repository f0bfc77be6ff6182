import { type FormEvent, useId, useState } from 'react'
import { Card } from '../parts/card.tsx'
import { showError } from '../parts/toasts.tsx'
import { steerRun } from './steer.ts'

/** Words of a person for the next attempt. */
export function FeedbackCard({ id }: { readonly id: string }) {
  const [text, setText] = useState('')
  const field = useId()
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    try {
      await steerRun(id, 'feedback', { text })
      setText('')
    } catch (error) {
      showError(error)
    }
  }
  return (
    <Card title="Say something">
      <form className="p-4" onSubmit={(event) => void send(event)}>
        <label className="text-sm font-medium" htmlFor={field}>
          What should be different?
        </label>
        <textarea
          id={field}
          className="textarea w-full mt-1.5 min-h-20"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <div className="flex items-center gap-2 mt-2">
          <p className="text-xs text-ink-3">The next attempt reads it.</p>
          <button type="submit" className="btn btn-sm btn-line ml-auto" disabled={text.trim() === ''}>
            Send
          </button>
        </div>
      </form>
    </Card>
  )
}
