import type { Card, Standing } from '../../contract/show.ts'
import type { RunListing } from '../../ports/run-store.ts'
import type { Program } from '../mode.ts'

export type ListedRun = RunListing & { readonly standing: Standing | 'damaged'; readonly card?: Card | undefined }

/** Lists runs, newest first. Loads a mode and folds a journal only for a run whose card is outdated. */
export async function listRuns(
  program: Program,
  filter: { readonly workspace?: string; readonly limit?: number },
): Promise<readonly ListedRun[]> {
  const runs = await program.machine.store.list(filter)
  return Promise.all(runs.map((run) => listed(program, run)))
}

async function listed(program: Program, run: RunListing): Promise<ListedRun> {
  if (run.problem !== undefined) return { ...run, standing: 'damaged' }
  try {
    const isFresh = run.card !== undefined && run.card.seq === run.seq
    const card = isFresh ? run.card : await (await import('./fresh-card.ts')).freshCard(program, run)
    return { ...run, card, standing: decideStanding(card, run.owner !== undefined, run.queued) }
  } catch (error) {
    return { ...run, card: undefined, standing: 'damaged', problem: (error as Error).message }
  }
}

function decideStanding({ standing, needsYou }: Card, isOwned: boolean, isQueued: boolean | undefined): Standing {
  if (isQueued && !isOwned && (standing === 'open' || standing === 'interrupted')) return 'queued'
  if (isQueued && standing === 'waiting') return 'waiting'
  if (standing === 'open') return isOwned ? 'running' : 'crashed'
  // Waiting for a limit needs a live process; waiting for a person does not.
  return standing === 'waiting' && !needsYou && !isOwned ? 'crashed' : standing
}
