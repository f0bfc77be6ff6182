import type { LoopState } from '../../kernel/state.ts'
import type { RunListing } from '../../ports/run-store.ts'
import type { Machine } from '../../run/machine.ts'
import { nextAction } from '../../run/next-action.ts'
import { readRun } from '../../run/read-run.ts'
import { formatAction } from '../../show/action.ts'
import { plural } from '../../show/format.ts'
import type { Finding } from './finding.ts'

const mostRead = 50
const mostTold = 5

/** Runs of this folder that somebody should look after, each with the command that does. */
export async function runFindings(machine: Machine): Promise<readonly Finding[]> {
  const { program, cwd } = machine.environment
  const here = await machine.store.list({ workspace: cwd, limit: mostRead })
  const open = (await Promise.all(here.filter(mayBeOpen).map((run) => openFinding(machine, run)))).flat()
  if (open.length === 0) return [{ check: 'runs', status: 'ok', says: 'none here is unfinished' }]
  const left = open.length - mostTold
  const more: Finding = { check: 'runs', status: 'weak', says: `${left} more are unfinished`, fix: `${program} ls` }
  return left > 0 ? [...open.slice(0, mostTold), more] : open
}

const ended: readonly string[] = ['completed', 'failed', 'blocked', 'cancelled']

/** A card that goes as far as the journal says so itself. */
const mayBeOpen = ({ card, seq }: RunListing): boolean => !card || card.seq !== seq || !ended.includes(card.standing)

/** An attempt that runs is counted by the kernel when it ends. */
const countBegun = ({ attempts, running, task }: LoopState): number =>
  attempts + (running && task?.kind === 'work' ? 1 : 0)

async function openFinding({ store, environment: { program } }: Machine, run: RunListing): Promise<readonly Finding[]> {
  const { id, name, address, problem } = run
  const check = `run ${name}`
  try {
    const stored = await store.open(address)
    if (!stored) throw new Error(problem ?? 'it is gone')
    const { standing, state } = await readRun(stored)
    if (state.ended) return []
    const says = `${id} is ${standing} after ${plural(countBegun(state), 'attempt')}`
    if (standing === 'running') return [{ check, status: 'ok', says }]
    const next = nextAction(id, standing, state)
    return [{ check, status: 'weak', says, ...(next && { fix: formatAction(next, program).join(' ') }) }]
  } catch (error) {
    const says = `${id} cannot be read: ${(error as Error).message}`
    return [{ check, status: 'weak', says, fix: `${program} fsck ${id}` }]
  }
}
