import { resolve } from 'node:path'
import { PawlError } from '../../contract/exit.ts'
import { findNearest } from '../../contract/nearest.ts'
import type { RunListing, StoredRun } from '../../ports/run-store.ts'
import type { Machine } from '../machine.ts'
import { hasEnded } from '../read-run.ts'

/**
 * Finds a run by the start or end of its id, by name, or by path. Default: the newest run in this folder. To act on a run, the
 * newest one that has not ended comes first: the clock may have been set back. To act on a run of another folder, its id is
 * required, because names such as `build` are common.
 */
export async function findRun(
  { store, environment: { cwd } }: Machine,
  name: string | undefined,
  purpose: 'look' | 'act' = 'look',
): Promise<StoredRun> {
  const folder = name?.includes('/') ? await store.open(resolve(cwd, name)) : undefined
  if (folder) return folder
  const exact = name === undefined ? undefined : await store.open(name)
  if (exact) return exact
  const all = await store.list({})
  const open = purpose === 'act' ? all.filter((run) => !hasEnded(run)) : []
  const found = choose([...new Set([...open, ...all])], cwd, name, purpose)
  const stored = await store.open(found.address)
  if (stored) return stored
  throw new PawlError(2, `${found.id} no longer exists`)
}

function choose(
  runs: readonly RunListing[],
  cwd: string,
  name: string | undefined,
  purpose: 'look' | 'act',
): RunListing {
  const here = runs.filter(({ workspace }) => workspace === cwd)
  if (name === undefined) {
    const newest = here[0]
    if (newest) return newest
    throw new PawlError(2, 'no run in this folder', (pawl) =>
      runs.length ? `To see all: ${pawl} ls --all` : `To try one: ${pawl} demo`,
    )
  }
  const byId = runs.filter(({ id }) => id.startsWith(name) || (name.length >= 4 && id.endsWith(name)))
  const exact = byId.find(({ id }) => id === name)
  if (exact) return exact
  if (byId.length > 1) throw ambiguous(name, byId)
  const found = byId[0] ?? here.find((run) => run.name === name)
  if (found) return found
  const elsewhere = runs.find((run) => run.name === name)
  if (elsewhere && purpose === 'look') return elsewhere
  if (elsewhere) {
    throw new PawlError(
      2,
      `no run here is called ${name}, but one in ${elsewhere.workspace} is`,
      `Use its id: ${elsewhere.id}`,
    )
  }
  const close = findNearest(name, [...new Set(runs.flatMap((run) => [run.id, run.name]))])
  throw new PawlError(2, `no run is called ${name}`, (pawl) =>
    close ? `Did you mean ${close}?` : `To see them: ${pawl} ls --all`,
  )
}

function ambiguous(name: string, runs: readonly RunListing[]): PawlError {
  const list = runs.map(({ id, name, created }) => `  ${id}  ${name}  ${created}`).join('\n')
  return new PawlError(2, `${name} matches more than one run:\n${list}`, 'Give more of the id.')
}
