import { person } from './continue-run.ts'
import { executeRun } from './execute-run.ts'
import type { RunEntry } from './index-of-runs.ts'
import type { Place } from './paths.ts'
import { postNote } from './post-note.ts'

/** Ends a run that nobody runs now: what was left behind is ended, and the journal says so. No agent is started. */
export async function endRun(place: Place, run: RunEntry, onNotice: (text: string) => void): Promise<void> {
  await postNote(run, { by: person(), say: 'cancel' })
  const never = new AbortController().signal
  const stop = { soft: never, hard: never, now: never }
  const here = { ...place, cwd: run.workspace }
  await executeRun({ place: here, dir: run.dir, stop, attended: false, endsOnly: true, onNotice })
}
