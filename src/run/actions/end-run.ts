import type { StoredRun } from '../../ports/run-store.ts'
import { executeRun } from '../execution/execute.ts'
import { person } from '../new-run.ts'
import { openRun } from '../open-run.ts'
import type { Program } from '../program.ts'
import { postNote } from './notes.ts'

/** Ends a run that nobody runs now: what was left behind is ended, and the journal says so. No agent is started. */
export async function endRun(program: Program, stored: StoredRun, onNotice: (text: string) => void): Promise<void> {
  await postNote(program, stored, { by: person(), say: 'cancel' })
  const never = new AbortController().signal
  const stop = { soft: never, hard: never, now: never }
  const { machine } = program
  const surface = { notice: onNotice }
  const open = await openRun(program, stored)
  await executeRun(open, { machine, stop, attended: false, endsOnly: true, mayShowWords: false, surface })
}
