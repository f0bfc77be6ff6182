import { PawlError } from '../../../contract/exit.ts'
import type { Machine } from '../../../run/machine.ts'
import { hasEnded, readRun } from '../../../run/read-run.ts'
import type { OpenProject } from '../project/project.ts'

/**
 * Throws if a process died while it saved an accepted iteration. Some of its files may be written: another iteration would take them for
 * the person's own edits.
 */
export async function refuseUnsaved({ name, studio }: OpenProject, { store }: Machine): Promise<void> {
  const runs = await store.list({ workspace: studio })
  for (const run of runs.filter((one) => one.mode === 'writing' && one.name === name && !hasEnded(one))) {
    const stored = run.problem === undefined ? await store.open(run.address) : undefined
    const state = stored && (await readRun(stored)).state
    if (!state || state.ended || state.question || state.task?.id !== 'finalize') continue
    const what = `an accepted iteration of ${name} was not saved to its end`
    throw new PawlError(10, what, (pawl) => `To finish it: ${pawl} resume ${run.id}`, 'unsaved')
  }
}
