import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from './program.ts'

export const bigJournalEvents = 1_000_000

/** Written once per bench, when a row first needs it: takes some seconds and about 300 MB. */
export function createBigJournal(scratch: string, signal: AbortSignal): () => Promise<string> {
  let written: Promise<string> | undefined
  return () => (written ??= write(join(scratch, 'big'), signal))
}

async function write(dir: string, signal: AbortSignal): Promise<string> {
  mkdirSync(dir)
  await runProgram('write-journal', [dir, String(bigJournalEvents)], { signal })
  return dir
}
