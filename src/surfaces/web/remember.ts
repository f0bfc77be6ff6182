import type { RunStore, StoredRun } from '../../ports/run-store.ts'
import type { Program } from '../../run/mode.ts'

const mostRuns = 16

/** Opens a run that was opened lately as the same object again: it remembers the events that it has read. */
export function rememberRuns(program: Program): Program {
  const { machine } = program
  return { ...program, machine: { ...machine, store: rememberOpened(machine.store) } }
}

function rememberOpened(store: RunStore): RunStore {
  const opened = new Map<string, { readonly stored: StoredRun; readonly entry: string }>()
  return {
    ...store,
    async open(address) {
      const stored = await store.open(address)
      if (!stored) return undefined
      const { id } = stored.entry
      const entry = JSON.stringify(stored.entry)
      const known = opened.get(id)
      const found = known?.entry === entry ? known : { stored, entry }
      // The newest is the last.
      opened.delete(id)
      opened.set(id, found)
      if (opened.size > mostRuns) opened.delete(opened.keys().next().value!)
      return found.stored
    },
  }
}
