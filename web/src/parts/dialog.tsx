import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { describeError } from './toasts.tsx'

type DialogProps = { readonly label: string; readonly onClose: () => void; readonly children: ReactNode }

/** A modal dialog. The browser keeps the focus inside and returns it afterwards. */
export function Dialog({ label, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    ref.current?.showModal()
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key is Escape, which the browser handles
    <dialog
      ref={ref}
      className="dialog"
      aria-label={label}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      {children}
    </dialog>
  )
}

type FormDialogProps = {
  readonly title: string
  readonly does: ReactNode
  readonly submit: string
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly onClose: () => void
  /** Closes the dialog when it succeeds; an error is shown and the dialog stays. */
  readonly onSubmit: () => Promise<unknown>
  readonly children?: ReactNode
}

/** A small dialog with one action. */
export function FormDialog({ title, does, submit, danger, disabled, onClose, onSubmit, children }: FormDialogProps) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const id = useId()
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    try {
      await onSubmit()
      onClose()
    } catch (error) {
      setError(error)
      setBusy(false)
    }
  }
  return (
    <Dialog label={title} onClose={onClose}>
      <form className="p-5" onSubmit={(event) => void send(event)} aria-describedby={id}>
        <h2 className="text-lg">{title}</h2>
        <p id={id} className="text-ink-2 mt-1">
          {does}
        </p>
        {children && <div className="mt-4 grid gap-3">{children}</div>}
        {error !== null && <Refusal error={error} />}
        <div className="flex justify-end gap-2 mt-5">
          <button type="button" className="btn btn-sm btn-line" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            className={`btn btn-sm ${danger ? 'btn-danger' : 'btn-primary'}`}
            disabled={busy || disabled}
          >
            {submit}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Stands in the dialog, because a toast would lie behind it. */
function Refusal({ error }: { readonly error: unknown }) {
  const { title, text, id } = describeError(error)
  return (
    <div className="mt-4 px-3 py-2 rounded-lg bg-bad-soft text-bad-ink" role="alert">
      <p className="font-medium">{title}</p>
      {text && <p className="text-sm">{text}</p>}
      {id && <p className="mono text-xs mt-1 break-all">{id}</p>}
    </div>
  )
}

type FieldProps = { readonly id: string; readonly label: string; readonly children: ReactNode }

/** A field below its label. `id` is that of the field. */
export const Field = ({ id, label, children }: FieldProps) => (
  <div>
    <label className="text-sm font-medium" htmlFor={id}>
      {label}
    </label>
    {children}
  </div>
)
