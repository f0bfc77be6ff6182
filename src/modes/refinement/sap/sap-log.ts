import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Fact, LoopEvent } from '../../../contract/event.ts'
import { emptyState, reduce } from '../../../kernel/state.ts'
import type { Pages, StoredRun } from '../../../ports/run-store.ts'
import type { Machine } from '../../../run/machine.ts'
import type { Projection } from '../../../run/mode.ts'
import { currentPerson } from '../../../run/new-run.ts'
import type { RefineReason } from '../contract/reasons.ts'
import type { RefinementRequest } from '../contract/request.ts'
import type { AttemptData } from '../core/event-data.ts'
import { openSapFile, type SapFile } from './sap-file.ts'
import { hidePeople } from './sap-hide.ts'
import { type SapAbout, type SapLine, sapLine } from './sap-line.ts'
import { isWritten } from './sap-sampling.ts'
import { addUp, noSums } from './sap-sums.ts'

export type SapLogOptions = {
  readonly machine: Pick<Machine, 'environment' | 'withLock'>
  readonly stored: Pick<StoredRun, 'entry' | 'read'>
  readonly workspace: string
  readonly request: Pick<RefinementRequest, 'taskId' | 'correlationId' | 'branch' | 'ladder' | 'start'>
  readonly pseudonymOf: (text: string) => string
  readonly job?: string | undefined
  readonly onNotice: (text: string) => void
}

/** Opens `agent_logs/sap.log`, the log that the seeds ask for, in the workspace of a refinement. */
export function openSapLog({ stored, ...options }: SapLogOptions): Promise<Projection<unknown>> {
  const { folder, file, about } = openLog(stored.entry.id, options)
  return openSapProjection({
    about,
    file,
    history: async () => (await stored.read()).events,
    onError: (error) => options.onNotice(`cannot write ${folder}: ${(error as Error).message}. The run goes on.`),
  })
}

type LogOptions = Omit<SapLogOptions, 'stored'>

/** Logs a task that was refused before there was a run, as seed 001 asks. `run` is the id that the run would have had. */
export function logRefusal(run: string, code: RefineReason, detail: string, options: LogOptions): void {
  const { folder, file, about } = openLog(run, options)
  const facts: readonly Fact[] = [
    { type: 'attempt-ended', outcome: { status: 'failed', detail, data: { ...noAttempt, fault: code } } },
    { type: 'run-ended', ending: 'failed', reason: { code } },
  ]
  const place = { epoch: 1, at: Date.now(), ms: 0, task: null, attempt: null }
  const lines = facts.map((fact, index) => ({ ...fact, ...place, seq: index + 1 })).map(followRun(about))
  try {
    file.append(lines.filter((line) => line !== undefined).map((line) => ({ ...line, state: 'Aborted' })))
  } catch (error) {
    options.onNotice(`cannot write ${folder}: ${(error as Error).message}`)
  }
}

const noAttempt: AttemptData = { iteration: 0, prunedTokens: 0, feedback: 0 }

function openLog(run: string, { machine, workspace, request, pseudonymOf, job }: LogOptions) {
  const { taskId, correlationId, branch, ladder, start } = request
  const folder = join(workspace, 'agent_logs')
  // Outside of the workspace, where a repository could contain a lock that never opens.
  const lock = join(machine.environment.stateFolder, 'logs', hashFolder(folder))
  const about: SapAbout = {
    run,
    job,
    taskId,
    correlationId,
    branch,
    start,
    labels: Object.fromEntries(ladder.map(({ id, label }) => [id, label])),
    hide: hidePeople(pseudonymOf, [currentPerson()]),
  }
  return { folder, about, file: openSapFile(folder, { withLock: (action) => machine.withLock(lock, action) }) }
}

const hashFolder = (folder: string): string => createHash('sha256').update(folder).digest('hex').slice(0, 16)

type SapOptions = {
  readonly about: SapAbout
  readonly file: SapFile
  /** Reads the run's journal. */
  readonly history: () => Promise<Pages>
  /** Called for the first error only. */
  readonly onError: (error: unknown) => void
}

/**
 * Writes a line once its event is saved. Lines that an earlier process could not write are written first; lines that this
 * one could not write are tried again when the run stops.
 */
export async function openSapProjection({ about, file, history, onError }: SapOptions): Promise<Projection<unknown>> {
  let follow = followRun(about)
  let waiting: SapLine[] = []
  let lastSeq = 0
  let failed = false
  let reported = false

  await catchUp(Number.POSITIVE_INFINITY)

  return {
    onEvent(event) {
      // Another process wrote to the journal after it was read here.
      if (event.seq > lastSeq + 1) failed = true
      unlessFailed(() => take(event))
    },
    onSaved: () => unlessFailed(write),
    async onLeft(left) {
      // Unsaved events are not logged.
      if (left.status === 'unsaved') return
      if (failed) await catchUp(left.view.state.seq)
      unlessFailed(write)
    },
  }

  function take(event: LoopEvent): void {
    if (event.seq <= lastSeq) return
    lastSeq = event.seq
    const line = follow(event)
    if (line && isWritten(line)) waiting.push(line)
  }

  function write(): void {
    if (waiting.length) file.append(waiting)
    waiting = []
  }

  /** Collects all lines up to this event that are not in the log. */
  async function catchUp(through: number): Promise<void> {
    failed = false
    try {
      follow = followRun(about)
      lastSeq = 0
      waiting = []
      for await (const page of await history()) for (const event of page) if (event.seq <= through) take(event)
      const written = waiting[0] ? file.findLastSeq(about.run, waiting[0].timestamp.slice(0, 10)) : 0
      waiting = waiting.filter(({ seq }) => seq > written)
    } catch (error) {
      fail(error)
    }
  }

  function unlessFailed(action: () => void): void {
    if (failed) return
    try {
      action()
    } catch (error) {
      fail(error)
    }
  }

  function fail(error: unknown): void {
    failed = true
    if (!reported) onError(error)
    reported = true
  }
}

/** Returns a function that takes a run's events from the first on and returns the line of each, before sampling. */
export function followRun(about: SapAbout): (event: LoopEvent) => SapLine | undefined {
  let state = emptyState
  let sums = noSums
  return (event) => {
    state = reduce(state, event)
    sums = addUp(sums, event)
    const line = sapLine(event, { state, sums }, about)
    if (line) sums = { ...sums, lines: line.line, sends: [] }
    return line
  }
}
