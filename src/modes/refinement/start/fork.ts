import type { FileArtifacts } from '../../../adapters/stores/files/artifacts.ts'
import { openInbox } from '../../../adapters/stores/files/inbox.ts'
import { openFileJournal } from '../../../adapters/stores/files/journal.ts'
import { acquireLease } from '../../../adapters/stores/files/lease.ts'
import type { LoopEvent } from '../../../contract/event.ts'
import { PawlError } from '../../../contract/exit.ts'
import { Ref } from '../../../contract/values.ts'
import { emptyState, type LoopState, reduce } from '../../../kernel/state.ts'
import { person } from '../../../run/continue-run.ts'
import { readFrozenRequest, requestHash, requestText } from '../../../run/frozen-request.ts'
import type { RunEntry } from '../../../run/index-of-runs.ts'
import { openContent } from '../../../run/open-content.ts'
import type { Place } from '../../../run/paths.ts'
import { eventsOf } from '../../../run/read-run.ts'
import { newRunId } from '../../../run/request.ts'
import { createRunWith } from '../../../run/start-run.ts'
import { reopenedCaps } from '../../../show/spend.ts'
import type { Brief } from '../contract/request.ts'

export type Forked = { readonly id: string; readonly dir: string; readonly name: string; readonly at: number }

/**
 * Another way from a moment of a run: a new run that knows all that the old one knew then, and what a person adds.
 * What was paid for up to there is not paid again; the old run stays as it is.
 */
export async function forkRun(
  place: Place,
  parent: RunEntry,
  at: number | undefined,
  feedback: string,
): Promise<Forked> {
  const { current } = readFrozenRequest(parent.dir)
  if (current.mode !== 'refinement') throw new PawlError(2, `${parent.name} is no refinement: only these can be forked`)
  const events = [...eventsOf(parent.dir)]
  const upTo = momentOf(events, at)
  const id = newRunId(new Date())
  const theirs = openContent(place, parent.dir, { run: parent.id, sealed: true, isNew: false })
  const dir = await createRunWith(place, id, async (folder) => {
    const ours = openContent(place, folder, { run: id, sealed: true, isNew: true })
    const carry = carrier(theirs, ours)
    const { brief, rubric, ...rest } = current.refinement
    const refinement = {
      ...rest,
      brief: await carryBrief(brief, theirs, ours),
      rubric: await carry(rubric),
      parent: { run: parent.id, seq: upTo },
    }
    const request = { ...current, run_id: id, created: new Date().toISOString(), refinement }
    await copyJournal(folder, id, events.slice(0, upTo), requestHash(requestText(request)), ours, carry)
    // What the first way had spent of its bounds, this one gets once more.
    const caps = reopenedCaps(stateAt(events, upTo).state, current.caps)
    if (Object.keys(caps).length) await openInbox(folder).post({ by: person(), say: 'raise', caps })
    await openInbox(folder).post({ by: person(), say: 'feedback', text: await ours.put('feedback.md', feedback) })
    await ours.flush()
    return request
  })
  return { id, dir, name: parent.name, at: upTo }
}

/** If nobody says when: the last judgement, when what a person says can still change what is decided on it. */
function momentOf(events: readonly LoopEvent[], at: number | undefined): number {
  const last = events.findLast(({ type, chore }) => type === 'verdict-reached' && !chore)
  const seq = at ?? last?.seq
  if (seq === undefined) throw new PawlError(2, 'nothing was judged yet: there is nothing to fork from')
  const moment = events.find((event) => event.seq === seq)
  if (!moment)
    throw new PawlError(
      2,
      `there is no event ${seq}`,
      `They go from 1 to ${events.at(-1)?.seq ?? 0}: pawl logs --json numbers them as seq`,
    )
  const { free, state } = stateAt(events, seq)
  if (state.stop) throw new PawlError(2, `at ${seq} the run had been ended`, 'Go back further: pawl logs --json')
  return free
}

/** Whoever forks a run that was asked to pause does not want the pause: `free` is the last moment before it. */
function stateAt(events: readonly LoopEvent[], seq: number): { readonly free: number; readonly state: LoopState } {
  let state = emptyState
  let free = seq
  for (const event of events) {
    if (event.seq > seq) break
    state = reduce(state, event)
    if (!state.pauseBy && !state.question) free = event.seq
  }
  return { free, state }
}

type Carry = <T>(value: T) => Promise<T>

/** Content is sealed for one run: what another one takes along is sealed anew, and named anew wherever it is named. */
function carrier(from: FileArtifacts, to: FileArtifacts): Carry {
  const moved = new Map<string, Ref>()
  const carry = async (value: unknown): Promise<unknown> => {
    if (typeof value !== 'object' || value === null) return value
    const ref = Ref.safeParse(value)
    if (ref.success) {
      const known = moved.get(ref.data.path) ?? (await to.put(nameIn(ref.data.path), await from.get(ref.data)))
      moved.set(ref.data.path, known)
      return known
    }
    if (Array.isArray(value)) return Promise.all(value.map(carry))
    return Object.fromEntries(
      await Promise.all(Object.entries(value).map(async ([key, part]) => [key, await carry(part)])),
    )
  }
  return carry as Carry
}

/** The file that the first way was to write stays its own: what another way comes to is shown, or taken by hand. */
async function carryBrief(ref: Ref, from: FileArtifacts, to: FileArtifacts): Promise<Ref> {
  const { out: _, write: __, ...brief } = JSON.parse(new TextDecoder().decode(await from.get(ref))) as Brief
  return to.put('brief.json', JSON.stringify(brief))
}

/** Behind the hash. */
const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 18)

async function copyJournal(
  dir: string,
  run: string,
  events: readonly LoopEvent[],
  request: string,
  content: FileArtifacts,
  carry: Carry,
): Promise<void> {
  const lease = acquireLease(dir, { force: false })
  const journal = openFileJournal({ dir, run, lease, flushContent: content.flush, hasContent: content.has })
  const inbox = openInbox(dir)
  try {
    for await (const _ of (await journal.load('')).events);
    for (const event of events) {
      const { epoch: _, ...draft } = await carry(event)
      // Notes keep their numbers: the run counts them.
      if (draft.type === 'note-received') await inbox.post(draft.note)
      await journal.append(draft.type === 'run-started' ? { ...draft, pins: { ...draft.pins, request } } : draft)
    }
    await journal.sync()
  } finally {
    journal.close()
    lease.release()
  }
}
