import { useSyncExternalStore } from 'react'
import { ApiError } from '../api.ts'
import { capitalize } from '../format.ts'
import { Icon } from './icon.tsx'

/** A short message about something that the person just did. Errors stay until they are closed. */
type Toast = { readonly tone: 'ok' | 'bad'; readonly title: string; readonly text?: string; readonly id?: string }
type Shown = Toast & { readonly key: number }

const shownMs = 5000
let toasts: readonly Shown[] = []
let lastKey = 0
const listeners = new Set<() => void>()

function set(next: readonly Shown[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const close = (key: number): void => set(toasts.filter((toast) => toast.key !== key))

export function showToast(toast: Toast): void {
  lastKey += 1
  const key = lastKey
  set([...toasts.slice(-3), { ...toast, key }])
  if (toast.tone === 'ok') setTimeout(() => close(key), shownMs)
}

/** What went wrong, what to do, and the number that the server's log has too. */
export function describeError(error: unknown): Pick<Toast, 'title' | 'text' | 'id'> {
  if (!(error instanceof ApiError)) return { title: error instanceof Error ? error.message : String(error) }
  const { message, hint, correlationId } = error
  return { title: capitalize(message), ...(hint && { text: hint }), ...(correlationId && { id: correlationId }) }
}

export const showError = (error: unknown): void => showToast({ tone: 'bad', ...describeError(error) })

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className="toast" role="status" aria-label="Messages">
      {shown.map(({ key, tone, title, text, id }) => (
        <div key={key} className="alert flex items-start gap-3 py-3 pl-4 pr-2 md:w-96">
          <span className={`st st-${tone} fg mt-0.5`}>
            <Icon name={tone} />
          </span>
          <div className="min-w-0 flex-1">
            <p className="font-medium">{title}</p>
            {text && <p className="text-sm text-ink-2">{text}</p>}
            {id && <p className="mono text-xs text-ink-3 mt-1 break-all">{id}</p>}
          </div>
          <button type="button" className="icon-btn" aria-label="Close this message" onClick={() => close(key)}>
            <Icon name="x" />
          </button>
        </div>
      ))}
    </div>
  )
}
