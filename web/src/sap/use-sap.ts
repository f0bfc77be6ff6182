import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { getSapForm, getSapRun } from '../api.ts'
import { useRunStream } from '../log/use-run-stream.ts'
import { client, keys } from '../queries.ts'

/** Below the key of the run, so that whatever fetches the run again also fetches this. */
const sapKey = (id: string) => [...keys.run(id), 'sap'] as const

export const useSapForm = () => useQuery({ queryKey: ['sap-form'], queryFn: ({ signal }) => getSapForm(signal) })

export const useSapRun = (id: string) =>
  useQuery({ queryKey: sapKey(id), queryFn: ({ signal }) => getSapRun(id, signal), enabled: id !== '' })

const everyMs = 300

/** Fetches the run again on each of its events, at most once in 300 ms. */
export function useSapStream(id: string, seq: number | undefined): void {
  const refresh = useRef<() => void>(null)
  refresh.current ??= throttle(() => client.refetchQueries({ queryKey: sapKey(id) }), everyMs)
  const onChange = (): void => refresh.current?.()
  useRunStream(id, seq, { onFrame: onChange, onReset: onChange })
}

/** Runs at once, then again if it was asked for meanwhile. */
function throttle(run: () => Promise<unknown>, ms: number): () => void {
  let isBusy = false
  let isAsked = false
  const work = async (): Promise<void> => {
    isBusy = true
    while (isAsked) {
      isAsked = false
      await run().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
    isBusy = false
  }
  return () => {
    isAsked = true
    if (!isBusy) void work()
  }
}
