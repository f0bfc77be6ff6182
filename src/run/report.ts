import { join } from 'node:path'
import { openRepository } from '../machine/open-repository.ts'
import type { DeliveryResult } from '../modes/delivery/contract/result.ts'
import { deliveryOf } from '../modes/delivery/start/stories.ts'
import { refinementNotices } from '../modes/refinement/show/report/notices.ts'
import { refinementOf } from '../modes/refinement/show/report/read.ts'
import type { RefinementReport } from '../modes/refinement/show/report/report.ts'
import type { Changes } from '../ports/repository.ts'
import { type AttemptRow, createAttempts } from '../show/report/attempts.ts'
import { createGates, type GateResult, type LastFailure } from '../show/report/gates.ts'
import { chooseNotices, type Notice } from '../show/report/look-first.ts'
import { lastLines } from '../show/report/output-tail.ts'
import { createExplainer, type Explanation } from './explain-run.ts'
import { readFrozenRequest } from './frozen-request.ts'
import type { RunEntry } from './index-of-runs.ts'
import type { Place } from './paths.ts'
import { type ReadRun, readRun } from './read-run.ts'

export type { AttemptRow, Changes, GateResult, Notice }

/** What a person wants to know of a run the next morning. */
export type Report = Omit<Explanation, 'run'> &
  RunEntry & {
    readonly startedAt: number | undefined
    readonly lastAt: number | undefined
    readonly lookFirst: readonly Notice[]
    /** Since the commit that the run started from, up to this moment. null is unknown, and `changesNote` says why. */
    readonly changes: Changes | null
    readonly changesNote: string | null
    readonly base: string | null
    readonly gates: readonly GateResult[]
    /** The last ones; `attemptsMade` is how many there were. */
    readonly attempts: readonly AttemptRow[]
    readonly attemptsMade: number
    /** Of a delivery; null where there are none. */
    readonly delivery: Pick<DeliveryResult, 'stories' | 'run_verification' | 'detail'> | null
    /** Of a refinement, which has nothing to do with git. */
    readonly refinement: RefinementReport | null
  }

/** One pass through the journal, one look at the repository. */
export async function reportRun(place: Place, run: RunEntry, now: number): Promise<Report> {
  const collector = createCollector(run)
  const read = readRun(run.dir, collector.see)
  const refinement = refinementOf(run.dir, read.standing)
  const base = refinement ? undefined : baseOf(read)
  const changes = base === undefined ? undefined : await openRepository(place, run.workspace).changesSince(base)
  const delivery = deliveryOf(run.dir)
  const linesOf = (log: string): readonly string[] | undefined => lastLines(log, 5)
  return collector.report({ read, changes, now, gates: gatesOf(run.dir), linesOf, delivery, refinement })
}

export type Gathered = {
  readonly read: ReadRun
  readonly changes: Changes | undefined
  readonly now: number
  /** The commands of the gates, in their order. */
  readonly gates: readonly string[]
  readonly linesOf: (log: string) => readonly string[] | undefined
  readonly delivery?: DeliveryResult | undefined
  readonly refinement?: RefinementReport | undefined
}

/** Pure but for what it remembers: events in, a report out. Bounded, however long the journal is. */
export function createCollector(run: RunEntry) {
  const explainer = createExplainer(run)
  const attempts = createAttempts()
  const gates = createGates()
  const see: Parameters<typeof readRun>[1] & {} = (event, before) => {
    explainer.see(event)
    attempts.see(event, before)
    gates.see(event)
  }

  function report({ read, changes, now, gates: commands, linesOf, delivery, refinement }: Gathered): Report {
    const { run: _id, ...explanation } = explainer.explain(read, now)
    const { state, standing, startedAt, lastAt } = read
    const failure = gates.failure()
    const base = baseOf(read)
    const seen = {
      failure: delivery ? null : failure && withOutput(failure, commands, (log) => linesOf(join(run.dir, log))),
      stories: delivery?.stories ?? [],
      lastAttempts: new Map(
        attempts.kept().flatMap(({ task, attempt, verdict }) => (verdict ? [[task, attempt]] : [])),
      ),
      changes,
      totals: attempts.totals,
      priced: state.caps.costUsd !== undefined || state.caps.tokens !== undefined,
      over: standing !== 'running',
      activeMs: state.activeMs,
      waitMs: state.waitMs,
    }
    const lookFirst = refinement ? refinementNotices(refinement) : chooseNotices(seen)
    return {
      ...run,
      ...explanation,
      startedAt,
      lastAt,
      lookFirst: lookFirst.map((notice) => ({ ...notice, log: notice.log && join(run.dir, notice.log) })),
      base: base ?? null,
      changes: changes ?? null,
      changesNote: refinement
        ? null
        : noteOn({
            base,
            changes,
            left: standing === 'running' ? null : attempts.totals.head,
            before: state.pins.dirty,
          }),
      gates: gates.list(commands).map((result) => ({ ...result, log: join(run.dir, result.log) })),
      attempts: attempts.kept(),
      attemptsMade: attempts.totals.attempts,
      delivery: delivery
        ? { stories: delivery.stories, run_verification: delivery.run_verification, detail: delivery.detail }
        : null,
      refinement: refinement ?? null,
    }
  }
  return { see, report }
}

function withOutput(failure: LastFailure, commands: readonly string[], linesOf: Gathered['linesOf']) {
  const command = failure.gate === null ? null : (commands[failure.gate] ?? null)
  return { ...failure, command, lines: linesOf(failure.log) ?? [] }
}

/** undefined: the run did not note it. An empty one stands for a repository without a commit. */
function baseOf({ state: { pins } }: ReadRun): string | null | undefined {
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

/** A request that is gone or was changed takes only its words along. */
function gatesOf(dir: string): readonly string[] {
  try {
    const { original } = readFrozenRequest(dir)
    return original.mode === 'procedure' ? original.procedure.gates : []
  } catch {
    return []
  }
}
