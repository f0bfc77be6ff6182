import { createHash } from 'node:crypto'
import { readContentName } from '../../../contract/content-path.ts'
import type { Draft, LoopEvent } from '../../../contract/event.ts'
import { PawlError } from '../../../contract/exit.ts'
import { Ref } from '../../../contract/values.ts'
import { emptyState, type LoopState, reduce } from '../../../kernel/state.ts'
import type { Machine } from '../../../run/machine.ts'
import type { Forked, ForkOptions } from '../../../run/mode.ts'
import { createRunId, currentPerson, formatRequest } from '../../../run/new-run.ts'
import type { Run, RunContent } from '../../../run/run.ts'
import { sealContent } from '../../../run/sealed-content.ts'
import { reopenedCaps } from '../../../show/spend.ts'
import type { Brief, RefinementRequest } from '../contract/request.ts'

/**
 * Creates a new run from the state of another one after event `at`, plus a person's feedback. Calls made up to there are
 * not repeated, and the parent does not change.
 */
export async function forkRefinement(
  parent: Run<RefinementRequest>,
  machine: Machine,
  { at, feedback }: ForkOptions,
): Promise<Forked> {
  const events = await readEvents(parent)
  const upTo = findMoment(events, at)
  const { envelope, request } = parent.current
  const now = new Date()
  const { mode, name, workspace } = parent.entry
  const entry = { id: createRunId(now), mode, name, workspace, created: now.toISOString() }
  const { state } = stateAt(events, upTo)
  // The fork may spend again what the parent had spent up to there.
  const raised = reopenedCaps(state, envelope.caps)
  const run = await machine.store.create({
    entry,
    listed: true,
    freeze: async (inner) => {
      const ours = sealContent(inner, { run: entry.id, key: machine.keys({ make: false }).content })
      const carry = carrier(parent.content, ours)
      const forked: RefinementRequest = {
        ...request,
        brief: await carryBrief(request.brief, parent.content, ours),
        rubric: await carry(request.rubric),
        parent: { run: parent.entry.id, seq: upTo },
      }
      const text = formatRequest({ ...envelope, run_id: entry.id, created: entry.created, with: forked })
      const history = await carryEvents(events.slice(0, upTo), text, carry)
      const by = currentPerson()
      return {
        request: text,
        history,
        notes: [
          ...(Object.keys(raised).length ? [{ by, say: 'raise' as const, caps: raised }] : []),
          { by, say: 'feedback', text: await ours.put('feedback.md', feedback) },
        ],
      }
    },
  })
  return { run, at: upTo, raised, from: state.caps }
}

async function readEvents({ stored }: Run<RefinementRequest>): Promise<readonly LoopEvent[]> {
  const events: LoopEvent[] = []
  for await (const page of (await stored.read()).events) events.push(...page)
  return events
}

/** Default: the last judgement, because feedback can still change the decision on it. */
function findMoment(events: readonly LoopEvent[], at: number | undefined): number {
  const last = events.findLast(({ type, chore }) => type === 'verdict-reached' && !chore)
  const seq = at ?? last?.seq
  if (seq === undefined) throw new PawlError(2, 'nothing has been judged yet, so there is nothing to fork from')
  const moment = events.find((event) => event.seq === seq)
  if (!moment)
    throw new PawlError(
      2,
      `there is no event ${seq}`,
      (pawl) => `Events go from 1 to ${events.at(-1)?.seq ?? 0}; ${pawl} logs --json shows their numbers as seq`,
    )
  const { free, state } = stateAt(events, seq)
  if (state.stop)
    throw new PawlError(
      2,
      `the run had already ended at event ${seq}`,
      (pawl) => `Choose an earlier event: ${pawl} logs --json`,
    )
  return free
}

/** `free` is the last event at which the run was not paused or asked to pause: a fork must not inherit the pause. */
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

type From = Pick<RunContent, 'get'>
type To = Pick<RunContent, 'put'>
type Carry = <T>(value: T) => Promise<T>

/** Content is encrypted per run: copies everything that a value refers to, and replaces the Refs. */
function carrier(from: From, to: To): Carry {
  const moved = new Map<string, Ref>()
  const carry = async (value: unknown): Promise<unknown> => {
    if (typeof value !== 'object' || value === null) return value
    const ref = Ref.safeParse(value)
    if (ref.success) {
      const known = moved.get(ref.data.path) ?? (await to.put(readContentName(ref.data.path), await from.get(ref.data)))
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

/** Sequential, so that content named by several events is copied once. */
async function carryEvents(events: readonly LoopEvent[], request: string, carry: Carry): Promise<Draft[]> {
  const sha256 = createHash('sha256').update(request).digest('hex')
  const history: Draft[] = []
  for (const event of events) {
    const { epoch: _, ...draft } = await carry(event)
    history.push(draft.type === 'run-started' ? { ...draft, pins: { ...draft.pins, request: sha256 } } : draft)
  }
  return history
}

/** Copies the brief without its output file: only the parent may write to that. */
async function carryBrief(ref: Ref, from: From, to: To): Promise<Ref> {
  const { out: _, write: __, ...brief } = JSON.parse(new TextDecoder().decode(await from.get(ref))) as Brief
  return to.put('brief.json', JSON.stringify(brief))
}
