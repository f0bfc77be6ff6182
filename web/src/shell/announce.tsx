import { useSyncExternalStore } from 'react'

/** At most one message in this time, so that a busy page does not talk without a pause. */
const pauseMs = 5000

let said = ''
let next = ''
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Says something to screen readers. Of several messages within 5 s, the last one is said. */
export function announce(message: string): void {
  next = message
  if (timer === undefined) say()
}

function say(): void {
  if (next === '') {
    timer = undefined
    return
  }
  // The same words twice are only read again if the text differs.
  said = next === said ? `${next}\u00a0` : next
  next = ''
  timer = setTimeout(say, pauseMs)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function LiveRegion() {
  const text = useSyncExternalStore(subscribe, () => said)
  return (
    <div className="sr-only" aria-live="polite">
      {text}
    </div>
  )
}
