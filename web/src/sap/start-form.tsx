import { useId, useRef, useState } from 'react'
import type { SapFormPayload } from '../../../src/contract/web.ts'
import { type SapStart, startSap } from '../api.ts'
import { Card } from '../parts/card.tsx'
import { Field } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { showError } from '../parts/toasts.tsx'
import { watchRun } from './alerts.ts'

/** The task of somebody who writes what to do. The server takes the text for the task then. */
const ownText = ''

type StartFormProps = {
  readonly form: SapFormPayload
  /** Empty: none. */
  readonly scenario: string
  readonly onStarted: (run: string) => void
}

export function StartForm({ form: { tasks, models }, scenario, onStarted }: StartFormProps) {
  const [task, setTask] = useState(tasks[0] ?? ownText)
  const [text, setText] = useState('')
  const [model, setModel] = useState('')
  const [isEmpty, setEmpty] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [taskId, textId, modelId, errorId] = [useId(), useId(), useId(), useId()]
  const field = useRef<HTMLTextAreaElement>(null)

  const start = async (flow: SapStart['flow']): Promise<void> => {
    const hasTask = task !== ownText || text.trim() !== ''
    setEmpty(!hasTask)
    if (!hasTask) field.current?.focus()
    setBusy(true)
    try {
      // An empty task is sent too: the server refuses it and has it in its log.
      const { run } = await startSap({ task, text, flow, ...(model && { model }), ...(scenario && { scenario }) })
      watchRun(run, 0)
      onStarted(run)
    } catch (error) {
      showError(error)
    }
    setBusy(false)
  }

  return (
    <Card title="Start">
      <div className="p-4 grid gap-4">
        <Field id={taskId} label="Task">
          <select
            id={taskId}
            className="select w-full mt-1.5"
            value={task}
            onChange={({ target }) => {
              setTask(target.value)
              setEmpty(false)
            }}
          >
            {tasks.map((one) => (
              <option key={one}>{one}</option>
            ))}
            <option value={ownText}>Own text</option>
          </select>
        </Field>
        <div>
          <label className="text-sm font-medium" htmlFor={textId}>
            Text
          </label>
          {task !== ownText && <span className="text-sm text-ink-3"> optional</span>}
          <textarea
            ref={field}
            id={textId}
            className="textarea w-full mt-1.5 min-h-24"
            placeholder={task === ownText ? 'Say what to write' : 'Paste the text to work on'}
            value={text}
            aria-invalid={isEmpty}
            {...(isEmpty && { 'aria-describedby': errorId })}
            onChange={({ target }) => {
              setText(target.value)
              setEmpty(false)
            }}
          />
          {isEmpty && (
            <p id={errorId} className="text-sm text-bad-ink mt-1.5 flex items-start gap-1.5" role="alert">
              <Icon name="bad" className="mt-0.5" />
              Say what to do: the task is empty.
            </p>
          )}
        </div>
        {models.length > 0 && (
          <Field id={modelId} label="Model">
            <select
              id={modelId}
              className="select w-full mt-1.5"
              value={model}
              onChange={({ target }) => setModel(target.value)}
            >
              <option value="">As configured</option>
              {models.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
        )}
        <div className="grid gap-2">
          <button
            type="button"
            className="btn btn-sm btn-primary w-full"
            disabled={isBusy}
            onClick={() => void start('iteration')}
          >
            Start Iteration
          </button>
          <button
            type="button"
            className="btn btn-sm btn-line w-full"
            disabled={isBusy}
            onClick={() => void start('adaptive')}
          >
            Start Adaptive Iteration
          </button>
        </div>
      </div>
    </Card>
  )
}
