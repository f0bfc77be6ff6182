import { useEffect, useRef } from 'react'
import type { StreamFrame } from '../../../src/contract/web.ts'
import { runPath } from '../api.ts'

type Handlers = { readonly onFrame: (frame: StreamFrame) => void; readonly onReset: () => void }

const reopenMs = 5000

/** Follows the events of one run. Continues after the last event that was seen, so that none is lost or shown twice. */
export function useRunStream(id: string, after: number | undefined, handlers: Handlers): void {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  const isReady = after !== undefined
  const start = useRef(0)
  if (isReady && start.current === 0) start.current = after
  useEffect(() => {
    if (!isReady) return
    let seen = start.current
    let source: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined

    function open(): void {
      source?.close()
      source = new EventSource(`${runPath(id)}/stream?after=${seen}`)
      source.addEventListener('lines', ({ data }: MessageEvent<string>) => {
        const frame = JSON.parse(data) as StreamFrame
        if (frame.seq <= seen) return
        seen = frame.seq
        latest.current.onFrame(frame)
      })
      source.addEventListener('reset', () => latest.current.onReset())
      source.addEventListener('error', () => {
        if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, reopenMs)
      })
    }

    function onVisible(): void {
      clearTimeout(timer)
      if (document.hidden) source?.close()
      else open()
    }

    open()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      document.removeEventListener('visibilitychange', onVisible)
      clearTimeout(timer)
      source?.close()
      start.current = 0
    }
  }, [id, isReady])
}
