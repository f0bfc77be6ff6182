import type { Card } from '../../contract/show.ts'
import type { RunListing, StoredRun } from '../../ports/run-store.ts'
import type { About } from '../../show/show.ts'
import { buildCard } from '../card.ts'
import type { Mode, Program } from '../mode.ts'
import { openRun } from '../open-run.ts'
import { foldRun, readRun } from '../read-run.ts'
import type { Run } from '../run.ts'

/** For a program that lists runs again and again. */
const built = new WeakMap<StoredRun, { readonly seq: number; readonly card: Card }>()

/** Builds a card from the journal, for a run that crashed between two saves. */
export async function freshCard(program: Program, { address, id, seq }: RunListing): Promise<Card> {
  const stored = await program.machine.store.open(address)
  if (!stored) throw new Error(`${id} no longer exists`)
  const known = built.get(stored)
  if (known?.seq === seq) return known.card
  const card = await buildFresh(program, stored)
  built.set(stored, { seq, card })
  return card
}

async function buildFresh(program: Program, stored: StoredRun): Promise<Card> {
  const { leftBy, lastAt } = await readRun(stored)
  const open = await openRun(program, stored)
  const about = { at: lastAt ?? 0, left: leftBy !== undefined }
  return open.use((mode, run) => foldedCard(mode, run, about))
}

async function foldedCard<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  run: Run<Request>,
  at: { readonly at: number; readonly left: boolean },
): Promise<Card> {
  const inputs = await mode.load(run)
  const view = await foldRun(mode, run, inputs)
  const { id, name } = run.entry
  const about: About<Request, Inputs> = { id, name, request: run.current.request, inputs, words: () => undefined }
  return buildCard(mode, view, about, at)
}
