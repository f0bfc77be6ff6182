import type { Changes } from '../../contract/changes.ts'
import type { LoopEvent } from '../../contract/event.ts'
import { emptyState, type LoopState, reduce } from '../../kernel/state.ts'
import { type AttemptRow, type AttemptTotals, createAttempts } from './attempts.ts'
import { createGates, type GateResult, type LastFailure } from './gates.ts'

/** What a run that changes a work tree has come to: the part of `show --json` that such modes share. */
export type WorkFacts = {
  readonly base: string | null
  /** Since the commit that the run started from, up to this moment. null is unknown, and `changesNote` says why. */
  readonly changes: Changes | null
  readonly changesNote: string | null
  readonly gates: readonly GateResult[]
  /** The last ones; `attemptsMade` is how many there were. */
  readonly attempts: readonly AttemptRow[]
  readonly attemptsMade: number
  readonly totals: AttemptTotals
  /** What failed last, while nothing has passed since. */
  readonly failure: FailureShown | null
}
export type FailureShown = LastFailure & { readonly command: string | null; readonly lines: readonly string[] }

export type WorkSources = {
  readonly events: AsyncIterable<readonly LoopEvent[]>
  readonly running: boolean
  /** The commands of the gates, in their order. */
  readonly gates: readonly string[]
  changesSince(base: string | null): Promise<Changes | undefined>
  /** The end of an output, some kilobytes; undefined where there is none of that name. */
  outputEnd(name: string): Promise<string | undefined>
  /** Where people find an output. */
  where(name: string): string
}

const shownLines = 5

/** One pass through the journal, one look at the repository. Bounded, however long the journal is. */
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
    changesNote: noteOn({ base, changes, left, before: state.pins.dirty }),
    gates: gates.list(sources.gates).map((result) => ({ ...result, log: sources.where(result.log) })),
    attempts: attempts.kept(),
    attemptsMade: attempts.totals.attempts,
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

/** undefined: the run did not note it. An empty one stands for a repository without a commit. */
function findBase({ pins }: LoopState): string | null | undefined {
  if (pins.head === '') return null
  return pins.head && /^[0-9a-f]{7,64}$/.test(pins.head) ? pins.head : undefined
}

type Noted = {
  readonly base: string | null | undefined
  readonly changes: Changes | undefined
  /** The commit that the run left behind, where that is known. */
  readonly left: string | null
  /** How many files were changed and not committed when it began. */
  readonly before: string | undefined
}

function noteOn({ base, changes, left, before }: Noted): string | null {
  if (base === undefined) return 'the run did not note the commit that it started from'
  if (!changes) return 'git did not tell'
  const notes = [
    ...(left && changes.head !== left ? ['HEAD has moved since: later work is counted in'] : []),
    ...(Number(before) > 0 ? [`${before} files were not committed when it began: they are counted in`] : []),
  ]
  return notes.join('; ') || null
}

const longestLine = 200

/** How many bytes of an output hold its last lines. */
export const tailBytes = 8 * 1024

/** The last lines of the end of an output that are not empty. */
const lastLines = (end: string, count: number): string[] =>
  end
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .map((line) => cut(line.trimEnd()))

const cut = (line: string): string => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)
