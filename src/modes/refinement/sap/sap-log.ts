import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { LoopEvent } from '../../../contract/event.ts'
import { emptyState, reduce } from '../../../kernel/state.ts'
import type { Pages, StoredRun } from '../../../ports/run-store.ts'
import type { Machine } from '../../../run/machine.ts'
import type { Projection } from '../../../run/mode.ts'
import { currentPerson } from '../../../run/new-run.ts'
import type { RefinementRequest } from '../contract/request.ts'
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
  readonly onNotice: (text: string) => void
}

/** Opens `agent_logs/sap.log`, the log that the seeds ask for, in the workspace of a refinement. */
export function openSapLog(options: SapLogOptions): Promise<Projection<unknown>> {
  const { machine, stored, request, pseudonymOf, onNotice } = options
  const { taskId, correlationId, branch, ladder, start } = request
  const folder = join(options.workspace, 'agent_logs')
  // Outside of the workspace, where a repository could contain a lock that never opens.
  const lock = join(machine.environment.stateFolder, 'logs', hashFolder(folder))
  return openSapProjection({
    about: {
      run: stored.entry.id,
      taskId,
      correlationId,
      branch,
      start,
      labels: Object.fromEntries(ladder.map(({ id, label }) => [id, label])),
      hide: hidePeople(pseudonymOf, [currentPerson()]),
    },
    file: openSapFile(folder, { withLock: (action) => machine.withLock(lock, action) }),
    history: async () => (await stored.read()).events,
    onError: (error) => onNotice(`cannot write ${folder}: ${(error as Error).message}. The run goes on.`),
  })
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
