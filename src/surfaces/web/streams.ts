import type { ServerResponse } from 'node:http'
import type { RunStore } from '../../ports/run-store.ts'
import { securityHeaders } from './guard.ts'

/** A browser or program that listens to events. */
export type Client = {
  /** `seq`: the number of the event, if it has one. */
  send(text: string, seq?: number): void
  /** Registers what to do when the client is gone. */
  onClose(action: () => void): void
}

// Everything that is sent in one turn waits for its end, also for clients that read fast: this is more than a page of events.
const mostWaiting = 1 << 20
const beatMs = 15_000
const mostClients = 64

/**
 * Server-sent events over plain HTTP responses. A client that reads too slowly is not sent what it missed: it gets `reset`, loads
 * the present state and goes on from there.
 */
export function createStreams() {
  const clients = new Set<ServerResponse>()
  const beat = setInterval(() => {
    for (const response of clients) response.write(': beat\n\n')
  }, beatMs)
  beat.unref()

  return {
    isFull: (): boolean => clients.size >= mostClients,
    open(response: ServerResponse): Client {
      clients.add(response)
      let isBehind = false
      let missed: number | undefined
      const closing: (() => void)[] = []
      response.writeHead(200, {
        ...securityHeaders,
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      })
      response.write('retry: 1000\n\n')
      response.on('close', () => {
        clients.delete(response)
        for (const action of closing) action()
      })
      response.on('drain', () => {
        if (!isBehind) return
        isBehind = false
        response.write(formatReset(missed))
      })
      return {
        send: (text, seq) => {
          isBehind ||= response.writableLength > mostWaiting
          if (isBehind) missed = seq
          else response.write(text)
        },
        onClose: (action) => closing.push(action),
      }
    },
    close(): void {
      clearInterval(beat)
      for (const response of clients) response.end()
    },
  }
}
export type Streams = ReturnType<typeof createStreams>

/** `seq`: the present state contains everything up to this event, so that a client which connects again goes on after it. */
export const formatReset = (seq: number | undefined): string =>
  `${seq === undefined ? '' : `id: ${seq}\n`}event: reset\ndata: {}\n\n`

/** Tells all listeners which run may have changed. The store is watched once for all of them, and only while somebody listens. */
export function createRunWatch(store: RunStore) {
  const listeners = new Set<(id: string) => void>()
  let stop: AbortController | undefined
  return {
    subscribe(listener: (id: string) => void): () => void {
      listeners.add(listener)
      if (!stop) void watch()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop?.abort()
        stop = undefined
      }
    },
    close: (): void => stop?.abort(),
  }

  async function watch(): Promise<void> {
    stop = new AbortController()
    const { signal } = stop
    try {
      for await (const id of await store.watch(signal)) for (const listener of listeners) listener(id)
    } catch {
      // The pages poll, too.
    }
  }
}
export type RunWatch = ReturnType<typeof createRunWatch>
