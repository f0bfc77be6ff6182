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
  readonly request: Pick<RefinementRequest, 'taskId' | 'correlationId' | 'branch' | 'ladder'>
  readonly pseudonymOf: (text: string) => string
  readonly onNotice: (text: string) => void
}

/** The seeds' log of a refinement, in its workspace. */
export function openSapLog(options: SapLogOptions): Promise<Projection<unknown>> {
  const { machine, stored, request, pseudonymOf, onNotice } = options
  const { taskId, correlationId, branch, ladder } = request
  const folder = join(options.workspace, 'agent_logs')
  const lock = join(machine.environment.stateFolder, 'logs', hashFolder(folder))
  return openSapProjection({
    about: {
      run: stored.entry.id,
      taskId,
      correlationId,
      branch,
      labels: Object.fromEntries(ladder.map(({ id, label }) => [id, label])),
      hide: hidePeople(pseudonymOf, [currentPerson()]),
    },
    file: openSapFile(folder, { alone: (action) => machine.withLock(lock, action) }),
    history: async () => (await stored.read()).events,
    onLost: (error) => onNotice(`cannot write ${folder}: ${(error as Error).message}. The run goes on.`),
  })
}

const hashFolder = (folder: string): string => createHash('sha256').update(folder).digest('hex').slice(0, 16)

type SapOptions = {
  readonly about: SapAbout
  readonly file: SapFile
  /** The run's events as its journal has them by now. */
  readonly history: () => Promise<Pages>
  readonly onLost: (error: unknown) => void
}

/**
 * `agent_logs/sap.log`, kept in step with a run: a line is written once its event is safe. What an earlier process could not
 * write any more is made up for first. What this one cannot write is told once and made up for when the run leaves.
 */
export async function openSapProjection({ about, file, history, onLost }: SapOptions): Promise<Projection<unknown>> {
  let follow = followRun(about)
  let waiting: SapLine[] = []
  let followed = 0
  let lost = false
  let told = false

  await tryingToCatchUp(Number.POSITIVE_INFINITY)

  return {
    onEvent(event) {
      // Whoever had the run before wrote something in the meantime. It is made up for when the run leaves.
      if (event.seq > followed + 1) lost = true
      trying(() => take(event))
    },
    onSaved: () => trying(write),
    async onLeft(left) {
      // What is not safe is not told.
      if (left.status === 'unsaved') waiting = []
      else if (lost) {
        lost = false
        await tryingToCatchUp(left.view.state.seq)
      }
      trying(write)
      file.close()
    },
  }

  function take(event: LoopEvent): void {
    if (event.seq <= followed) return
    followed = event.seq
    const line = follow(event)
    if (line && isWritten(line)) waiting.push(line)
  }

  function write(): void {
    if (waiting.length) file.append(waiting.map(toEntry))
    waiting = []
  }

  async function tryingToCatchUp(through: number): Promise<void> {
    try {
      follow = followRun(about)
      followed = 0
      waiting = []
      for await (const page of await history()) for (const event of page) if (event.seq <= through) take(event)
      const last = waiting[0] ? file.lastTold(about.run, formatDay(waiting[0])) : 0
      waiting = waiting.filter(({ seq }) => seq > last)
    } catch (error) {
      lose(error)
    }
  }

  function trying(action: () => void): void {
    if (lost) return
    try {
      action()
    } catch (error) {
      lose(error)
    }
  }

  function lose(error: unknown): void {
    lost = true
    if (!told) onLost(error)
    told = true
  }
}

const toEntry = (line: SapLine) => ({ uuid: line.uuid, day: formatDay(line), text: JSON.stringify(line) })
const formatDay = ({ timestamp }: SapLine): string => timestamp.slice(0, 10)

/** Follows a run from its first event and says of each what the log says of it, sampling aside. */
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
