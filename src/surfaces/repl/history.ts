import { openHistoryFile } from './history-file.ts'

/** What a person entered before. */
export type History = {
  /** Each entry once: those of the project, the newest first, then those of other projects. */
  entries(): readonly string[]
  add(text: string): void
}

export type HistoryOptions = {
  /** Paths of two files. Every entry goes into both. */
  readonly project: string
  readonly global: string
  /** How many entries of each file are kept. */
  readonly limit: number
}

/** Opens the history. It is a convenience: a file that cannot be read or written is no error. */
export function openHistory({ project, global, limit }: HistoryOptions): History {
  const files = [...new Set([project, global])].map((path) => openHistoryFile(path, limit))
  return {
    entries: () => [...new Set(files.flatMap((file) => file.entries().toReversed()))],
    add: (text) => {
      for (const file of files) file.add(text)
    },
  }
}
