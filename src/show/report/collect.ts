import type { Changes } from '../../contract/changes.ts'
import type { LoopEvent } from '../../contract/event.ts'
import { emptyState, type LoopState, reduce } from '../../kernel/state.ts'
import { type AttemptRow, type AttemptTotals, createAttempts } from './attempts.ts'
import { createGates, type GateResult, type LastFailure } from './gates.ts'

/** The results of a run that changes a work tree: the part of `show --json` common to these modes. */
export type WorkFacts = {
  readonly base: string | null
  /** Changes from the run's starting commit until now. null means unknown; `changesNote` gives the reason. */
  readonly changes: Changes | null
  readonly changesNote: string | null
  readonly gates: readonly GateResult[]
  /** The last attempts; `attemptsMade` counts all that started. */
  readonly attempts: readonly AttemptRow[]
  readonly attemptsMade: number
  readonly totals: AttemptTotals
  /** The last failure, if nothing has passed since. */
  readonly failure: FailureShown | null
}
export type FailureShown = LastFailure & { readonly command: string | null; readonly lines: readonly string[] }

export type WorkSources = {
  readonly events: AsyncIterable<readonly LoopEvent[]>
  readonly running: boolean
  /** The gate commands, in order. */
  readonly gates: readonly string[]
  changesSince(base: string | null): Promise<Changes | undefined>
  /** Reads the last kilobytes of an output; undefined if there is none of that name. */
  outputEnd(name: string): Promise<string | undefined>
  /** Returns the location of an output for people. */
  where(name: string): string
}

const shownLines = 5

/** Collects the facts in one pass through the journal. Memory is bounded, whatever the length of the journal. */
export async function collectWork(sources: WorkSources): Promise<WorkFacts> {
  const attempts = createAttempts()
  const gates = createGates()
  let state: LoopState = emptyState
  for await (const page of sources.events) {
    for (const event of page) {
      attempts.see(event, state)
      gates.see(event)
      state = reduce(state, event)
    }
  }
  const base = findBase(state)
  const changes = base === undefined ? undefined : await sources.changesSince(base)
  const left = sources.running ? null : attempts.totals.head
  return {
    base: base ?? null,
    changes: changes ?? null,
    changesNote: formatChangesNote({ base, changes, left, before: state.pins.dirty }),
    gates: gates.list(sources.gates).map((result) => ({ ...result, log: sources.where(result.log) })),
    attempts: attempts.kept(),
    attemptsMade: attempts.totals.started,
    totals: attempts.totals,
    failure: await withOutput(gates.failure(), sources),
  }
}

async function withOutput(failure: LastFailure | null, sources: WorkSources): Promise<FailureShown | null> {
  if (!failure) return null
  const command = failure.gate === null ? null : (sources.gates[failure.gate] ?? null)
  const end = await sources.outputEnd(failure.log)
  return { ...failure, command, lines: lastLines(end ?? '', shownLines) }
}

/** Returns the starting commit; null for a repository without commits; undefined if the run did not record it. */
function findBase({ pins }: LoopState): string | null | undefined {
  if (pins.head === '') return null
  return pins.head && /^[0-9a-f]{7,64}$/.test(pins.head) ? pins.head : undefined
}

type Noted = {
  readonly base: string | null | undefined
  readonly changes: Changes | undefined
  /** The last commit of the run, if known. */
  readonly left: string | null
  /** The number of uncommitted files when the run started. */
  readonly before: string | undefined
}

function formatChangesNote({ base, changes, left, before }: Noted): string | null {
  if (base === undefined) return 'the run did not record its starting commit'
  if (!changes) return 'git could not list the changes'
  const notes = [
    ...(left && changes.head !== left ? ['HEAD has moved since the run: later changes are included'] : []),
    ...(Number(before) > 0 ? [`files uncommitted at the start: ${before}, included`] : []),
  ]
  return notes.join('; ') || null
}

const maxLineLength = 200

/** How many bytes to read from the end of an output for its last lines. */
export const tailBytes = 8 * 1024

/** Returns the last non-empty lines. */
const lastLines = (end: string, count: number): string[] =>
  end
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .map((line) => cut(line.trimEnd()))

const cut = (line: string): string => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line)
