import { useSyncExternalStore } from 'react'

let offset = 0

/** Keeps ages right if the clocks of the server and of this machine differ. */
export function setServerTime(now: number): void {
  offset = now - Date.now()
}

export const now = (): number => Date.now() + offset

const tickMs = 1000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let seconds = 0

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  seconds = Math.floor(now() / tickMs)
  for (const listener of listeners) listener()
}

const unsubscribed = (): (() => void) => () => {}

/** The time, updated every `everySeconds`. All users share one timer. */
export function useNow(everySeconds = 1, enabled = true): number {
  const read = (): number => Math.floor((seconds || Math.floor(now() / tickMs)) / everySeconds)
  useSyncExternalStore(enabled ? subscribe : unsubscribed, read)
  return now()
}
