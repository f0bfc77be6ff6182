import { useEffect, useSyncExternalStore } from 'react'
import { streamPath } from './api.ts'
import { now } from './clock.ts'
import { refreshAll, refreshRun } from './queries.ts'

/** `late`: no connection for 3 s. `lost`: for 15 s; the page fetches every 5 s instead. */
export type LiveStatus = { readonly is: 'live' | 'late' | 'lost'; readonly seenAt: number }

const lateMs = 3000
const lostMs = 15_000
const refreshMs = 5000
const reopenMs = 2000
const gatherMs = 500

let status: LiveStatus = { is: 'live', seenAt: now() }
const listeners = new Set<() => void>()

function setStatus(is: LiveStatus['is'], seenAt = status.seenAt): void {
  status = { is, seenAt }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLiveStatus = (): LiveStatus => useSyncExternalStore(subscribe, () => status)

let connection: Connection | undefined

/** Tries to connect at once. */
export function reconnect(): void {
  connection?.reopen()
  refreshAll()
}

/** Keeps the connection that reports changed runs. Closed while the page is hidden: browsers allow few connections to one host. */
export function useLiveUpdates(): void {
  useEffect(() => {
    const opened = openConnection()
    connection = opened
    const onVisible = (): void => {
      if (document.hidden) opened.pause()
      else reconnect()
    }
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      document.removeEventListener('visibilitychange', onVisible)
      opened.pause()
      connection = undefined
    }
  }, [])
}

type Connection = { reopen(): void; pause(): void }

function openConnection(): Connection {
  let source: EventSource | undefined
  let missed = false
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const changed = new Set<string>()
  let isGathering = false

  function open(): void {
    source?.close()
    source = new EventSource(streamPath)
    source.addEventListener('open', onOpen)
    source.addEventListener('error', onError)
    source.addEventListener('run', ({ data }: MessageEvent<string>) => gather(data))
  }

  function onOpen(): void {
    clearTimers()
    setStatus('live', now())
    if (missed) refreshAll()
    missed = false
  }

  function onError(): void {
    // A refused connection is closed for good; a broken one is opened again by the browser.
    if (source?.readyState === EventSource.CLOSED) after(reopenMs, open)
    if (missed) return
    missed = true
    after(lateMs, () => setStatus('late'))
    after(lostMs, refreshRepeatedly)
  }

  function refreshRepeatedly(): void {
    setStatus('lost')
    refreshAll()
    after(refreshMs, refreshRepeatedly)
  }

  function gather(data: string): void {
    setSeen()
    const { id } = JSON.parse(data) as { id: string }
    changed.add(id)
    if (isGathering) return
    isGathering = true
    setTimeout(() => {
      isGathering = false
      for (const one of changed) refreshRun(one)
      changed.clear()
    }, gatherMs)
  }

  function after(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, ms)
    timers.add(timer)
  }

  function clearTimers(): void {
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
  }

  open()
  return {
    reopen: open,
    pause: () => {
      clearTimers()
      missed = true
      source?.close()
    },
  }
}

const setSeen = (): void => {
  status = { ...status, seenAt: now() }
}
