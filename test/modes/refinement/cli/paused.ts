import type { Beat, Play } from './stage.ts'
import { refineWorkspace } from './workspace.ts'

/** A run that a person has paused during its second iteration. */
export async function pausedRun(task: string, beats: readonly Beat[], more: Partial<Play> = {}) {
  let written = 0
  const made = await refineWorkspace({
    beats,
    ...more,
    instead: async (call, role) => {
      if (role === 'write' && ++written === 2) await made.run('pause', 'refine')
      return more.instead?.(call, role)
    },
  })
  const left = await made.refine(task, '--preset', 'sap-0010')
  if (left.code !== 10) throw new Error(`it was to be paused: ${left.err}`)
  return { ...made, env: made.env as Record<string, string> }
}
