import type { TranscriptReader } from '../../ports/agent.ts'
import { readPlain } from './plain.ts'
import { type Entry, outputEntry } from './reader.ts'
import { findReader } from './readers.ts'
import { splitLines } from './split-lines.ts'

/** Turns a saved log into entries. A log holds stdout and stderr; lines that are no events count as stderr. */
export function createTranscriptReader(agent: string): TranscriptReader {
  const newReader = findReader(agent)
  const reader = (newReader ?? readPlain)()
  let entries: Entry[] = []
  const lines = splitLines((line) => {
    const isEvent = !newReader || line.startsWith('{')
    const read = isEvent ? reader.line(line) : (reader.warning?.(line) ?? outputEntry(line))
    for (const entry of read) entries.push(entry)
  })
  const take = (): readonly Entry[] => {
    const taken = entries
    entries = []
    return taken
  }
  return {
    read: (text) => {
      lines.push(text)
      return take()
    },
    end: () => {
      lines.end()
      return take()
    },
  }
}
