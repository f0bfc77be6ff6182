import { PawlError } from '../../contract/exit.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import type { Mode, ModeText } from '../mode.ts'
import { openRun } from '../open-run.ts'
import type { Program } from '../program.ts'
import { foldRun } from '../read-run.ts'
import type { Run } from '../run.ts'

/** The text that a run has come to, for the person whose key it is. Refused where the mode has none. */
export async function readText(program: Program, stored: StoredRun): Promise<ModeText> {
  const open = await openRun(program, stored)
  return open.use(read)
}

async function read<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  run: Run<Request>,
): Promise<ModeText> {
  if (!mode.text) throw new PawlError(2, `${run.entry.name} is a ${mode.name}: it has no text of its own`)
  const inputs = await mode.load(run)
  return mode.text(run, inputs, await foldRun(mode, run, inputs))
}
