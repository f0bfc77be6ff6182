import { useId, useState } from 'react'
import type { RunRow, Steering } from '../../../src/contract/web.ts'
import { capitalize, formatUnit } from '../format.ts'
import { Field, FormDialog } from '../parts/dialog.tsx'
import { navigate, paths } from '../router.tsx'
import { steerRun } from './steer.ts'

type DialogProps = { readonly row: RunRow; readonly onClose: () => void }

export const StopDialog = ({ row, onClose }: DialogProps) => (
  <FormDialog
    title={`Stop ${row.name}?`}
    does="The attempt at work is interrupted. Finished work is kept."
    submit="Stop the run"
    danger
    onClose={onClose}
    onSubmit={() => steerRun(row.id, 'stop', {})}
  />
)

type ForkProps = DialogProps & { readonly lastSeq: number }

/** Starts a run of its own from a moment of this one, and opens it. */
export function ForkDialog({ row, lastSeq, onClose }: ForkProps) {
  const [feedback, setFeedback] = useState('')
  const [at, setAt] = useState('')
  const [words, event] = [useId(), useId()]
  const fork = async (): Promise<void> => {
    const answer = await steerRun(row.id, 'fork', { feedback, ...(at !== '' && { at: Number(at) }) })
    const run = (answer as { run?: unknown } | null)?.run
    if (typeof run === 'string') navigate(paths.run(run))
  }
  return (
    <FormDialog
      title={`Fork ${row.name}`}
      does="A run of its own continues with your words. This run stays as it is."
      submit="Fork"
      disabled={feedback.trim() === ''}
      onClose={onClose}
      onSubmit={fork}
    >
      <Field id={words} label="What should be different?">
        <textarea
          id={words}
          className="textarea w-full mt-1.5 min-h-20"
          value={feedback}
          onChange={({ target }) => setFeedback(target.value)}
        />
      </Field>
      <Field id={event} label={`Continue after event (1 to ${lastSeq}; empty: chosen for you)`}>
        <input
          id={event}
          type="number"
          className="input h-9 w-40 mt-1.5"
          min={1}
          max={lastSeq}
          value={at}
          onChange={({ target }) => setAt(target.value)}
        />
      </Field>
    </FormDialog>
  )
}

type RaiseProps = { readonly id: string; readonly bounds: Steering['raise']; readonly onClose: () => void }

/** How people write a value of each unit, and how many of the contract's units one of theirs is. */
const inputs = {
  count: { unit: '', factor: 1, step: 1 },
  tokens: { unit: 'in tokens', factor: 1, step: 1 },
  usd: { unit: 'in US dollars', factor: 1, step: 0.01 },
  ms: { unit: 'in minutes', factor: 60_000, step: 1 },
}

/** Raises one bound. The journal records who did and when. */
export function RaiseDialog({ id, bounds, onClose }: RaiseProps) {
  const [cap, setCap] = useState(bounds[0]?.cap)
  const [text, setText] = useState('')
  const [select, field] = [useId(), useId()]
  const bound = bounds.find((one) => one.cap === cap) ?? bounds[0]
  if (!bound) return null
  const { unit, factor, step } = inputs[bound.unit]
  const format = formatUnit[bound.unit]
  const value = Number(text) * factor
  const isHigher = text !== '' && value > bound.of
  return (
    <FormDialog
      title="Raise a bound"
      does="The run records who raised it and when."
      submit={isHigher ? `Raise to ${format(value)}` : 'Raise'}
      disabled={!isHigher}
      onClose={onClose}
      onSubmit={() => steerRun(id, 'raise', { caps: { [bound.cap]: value } })}
    >
      <Field id={select} label="Bound">
        <select
          id={select}
          className="select h-9 w-full mt-1.5"
          value={bound.cap}
          onChange={({ target }) => {
            setCap(bounds.find((one) => one.cap === target.value)?.cap)
            setText('')
          }}
        >
          {bounds.map((one) => (
            <option key={one.cap} value={one.cap}>
              {capitalize(one.name)}, now {formatUnit[one.unit](one.of)}
            </option>
          ))}
        </select>
      </Field>
      <Field id={field} label={`New value${unit && `, ${unit}`} (now ${format(bound.of)})`}>
        <input
          id={field}
          type="number"
          className="input h-9 w-40 mt-1.5"
          min={bound.of / factor}
          step={step}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
    </FormDialog>
  )
}
