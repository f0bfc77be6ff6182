import { type FormEvent, useId, useState } from 'react'
import type { Form, FormField } from '../../../src/contract/page/start.ts'
import { startRun } from '../api.ts'
import { showError } from '../parts/toasts.tsx'
import { navigate, paths } from '../router.tsx'

type Values = Readonly<Record<string, string>>

/** Draws the fields that the server describes. Opens the run once it is started. */
export function StartForm({ form: { command, fields, button } }: { readonly form: Form }) {
  const [values, setValues] = useState<Values>(() => Object.fromEntries(fields.map((one) => [one.name, firstOf(one)])))
  const [isBusy, setBusy] = useState(false)
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    try {
      const { run } = await startRun(command, values)
      navigate(paths.run(run))
    } catch (error) {
      showError(error)
      setBusy(false)
    }
  }
  return (
    <form className="card p-5 grid gap-4" onSubmit={(event) => void send(event)}>
      {fields.map((field) => (
        <LabelledField
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      <div>
        <button type="submit" className="btn btn-sm btn-primary" disabled={isBusy}>
          {button}
        </button>
      </div>
    </form>
  )
}

const firstOf = (field: FormField): string => (field.kind === 'choice' ? (field.options[0]?.value ?? '') : '')

type FieldProps = {
  readonly field: FormField
  readonly value: string
  readonly onChange: (value: string) => void
}

function LabelledField({ field, value, onChange }: FieldProps) {
  const id = useId()
  const { label, hint, required } = field
  return (
    <div>
      <label className="text-sm font-medium" htmlFor={id}>
        {label}
      </label>
      {!required && field.kind !== 'choice' && <span className="text-sm text-ink-3"> optional</span>}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-ink-2">
          {hint}
        </p>
      )}
      <Input id={id} field={field} value={value} onChange={onChange} />
    </div>
  )
}

function Input({ id, field, value, onChange }: FieldProps & { readonly id: string }) {
  const shared = {
    id,
    value,
    required: field.required,
    ...(field.hint !== undefined && { 'aria-describedby': `${id}-hint` }),
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value),
  }
  if (field.kind !== 'choice') {
    return field.kind === 'line' ? (
      <input type="text" className="input w-full mt-1.5" {...shared} />
    ) : (
      <textarea className="textarea w-full mt-1.5 min-h-40" {...shared} />
    )
  }
  const groups = [...new Set(field.options.map(({ group }) => group))]
  return (
    <select className="select w-full mt-1.5" {...shared}>
      {groups.map((group) => {
        const options = field.options.filter((option) => option.group === group)
        const shown = options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))
        return group === undefined ? (
          shown
        ) : (
          <optgroup key={group} label={group}>
            {shown}
          </optgroup>
        )
      })}
    </select>
  )
}
