import { useEffect, useId, useState } from 'react'
import type { SapRunPayload } from '../../../src/contract/web.ts'
import { Card } from '../parts/card.tsx'
import { Field } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { showError } from '../parts/toasts.tsx'
import { steerRun } from '../run/steer.ts'
import { useKeys } from '../shell/keyboard.ts'
import { Spans } from '../shown/spans.tsx'
import { watchRun } from './alerts.ts'
import { isOver } from './state.ts'

/** Pauses the run, and goes on with what a person says. */
export function SteerCard({ data }: { readonly data: SapRunPayload | undefined }) {
  const [text, setText] = useState('')
  const [sent, setSent] = useState<'pause' | 'resume' | null>(null)
  const field = useId()
  const canPause = data?.run.can.pause === true
  const canResume = data !== undefined && canGoOn(data)
  const question = data?.run.question
  // What was asked for has happened, or cannot happen any more.
  useEffect(() => {
    setSent((last) => ((last === 'pause' && !canPause) || (last === 'resume' && !canResume) ? null : last))
  }, [canPause, canResume])

  const steer = async (what: 'pause' | 'resume'): Promise<void> => {
    if (!data || sent !== null || !(what === 'pause' ? canPause : canResume)) return
    setSent(what)
    watchRun(data.run.row.id, data.run.seq)
    try {
      if (what === 'pause') await steerRun(data.run.row.id, 'pause', {})
      else await goOn(data, text.trim())
      if (what === 'resume') setText('')
    } catch (error) {
      setSent(null)
      showError(error)
    }
  }
  useKeys({ p: () => void steer(canPause ? 'pause' : 'resume') })

  return (
    <Card title="Have a say">
      <div className="p-4 grid gap-3">
        <button
          type="button"
          className="btn btn-sm btn-line w-full"
          disabled={!canPause || sent !== null}
          onClick={() => void steer('pause')}
        >
          <Icon name="pause" />
          Pause
        </button>
        {question && (
          <p className="st st-you px-3 py-2 rounded-lg bg-you-soft text-you-ink text-sm wrap-anywhere">
            <Spans line={question.asks} />
          </p>
        )}
        <Field id={field} label="Human Feedback">
          <textarea
            id={field}
            className="textarea w-full mt-1.5 min-h-20"
            placeholder="What should be different?"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
        <button
          type="button"
          className={`btn btn-sm w-full ${canResume ? 'btn-primary' : 'btn-line'}`}
          disabled={!canResume || sent !== null}
          onClick={() => void steer('resume')}
        >
          <Icon name="play" />
          Resume
        </button>
        <p className="text-xs text-ink-3">{data ? describe(data, canResume) : 'There is no run to steer yet.'}</p>
      </div>
    </Card>
  )
}

const canGoOn = (data: SapRunPayload): boolean => {
  const { question, can } = data.run
  return !isOver(data) && (question !== null || can.unpause || can.resume)
}

/** Answers the question if there is one. Otherwise words go along as feedback. */
async function goOn({ run }: SapRunPayload, text: string): Promise<void> {
  const { id } = run.row
  if (run.question) {
    await steerRun(id, 'answer', text === '' ? {} : { text })
    return
  }
  if (text !== '' && run.can.feedback) await steerRun(id, 'feedback', { text })
  await steerRun(id, run.can.unpause ? 'unpause' : 'resume', {})
}

function describe(data: SapRunPayload, canResume: boolean): string {
  if (isOver(data)) return 'The run is over.'
  return canResume ? 'Feedback is optional: Resume also works without it.' : 'Resume works once the run is paused.'
}
