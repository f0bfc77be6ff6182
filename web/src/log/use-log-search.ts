import { useEffect, useState } from 'react'
import { getLog } from '../api.ts'

export type Matches = { readonly text: string; readonly lines: readonly number[]; readonly count: number }

const none: Matches = { text: '', lines: [], count: 0 }
const typingMs = 200
const growingMs = 2000

/** Searches the whole log on the server, again while lines arrive. Keeps the last result until the next is there. */
export function useLogSearch(id: string, text: string, total: number): Matches {
  const [matches, setMatches] = useState(none)
  const isNew = matches.text !== text
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer log needs another search
  useEffect(() => {
    if (text === '') {
      setMatches(none)
      return
    }
    const aborted = new AbortController()
    const search = async (): Promise<void> => {
      try {
        const found = await getLog(id, { from: -1, count: 1, search: text }, aborted.signal)
        setMatches({ text, lines: found.matches, count: found.matchCount })
      } catch {
        // The log itself reports that the server does not answer.
      }
    }
    const timer = setTimeout(() => void search(), isNew ? typingMs : growingMs)
    return () => {
      clearTimeout(timer)
      aborted.abort()
    }
  }, [id, text, total])
  return text === '' ? none : matches
}
