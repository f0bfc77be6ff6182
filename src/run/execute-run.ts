import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../adapters/clock/system.ts'
import { openInbox } from '../adapters/stores/files/inbox.ts'
import { openFileJournal } from '../adapters/stores/files/journal.ts'
import { acquireLease } from '../adapters/stores/files/lease.ts'
import type { LoopEvent } from '../contract/event.ts'
import type { Progress } from '../contract/progress.ts'
import type { RunRequest } from '../contract/request.ts'
import type { Caps } from '../contract/values.ts'
import type { Left, View } from '../kernel/policy.ts'
import { runLoop } from '../kernel/run.ts'
import { openRepository } from '../machine/open-repository.ts'
import { openShell } from '../machine/open-shell.ts'
import { StaleWriterError } from '../ports/journal.ts'
import type { Lease } from '../ports/lease.ts'
import { bestEffort, bestEffortContent, bestEffortInbox } from './best-effort.ts'
import { reopening, wholeMark } from './continue-run.ts'
import { type Frozen, readFrozenRequest, runMarkOf } from './frozen-request.ts'
import type { Mode } from './mode.ts'
import { bindMode } from './modes.ts'
import { openContentToEnd, openRunContent } from './open-content.ts'
import type { Place } from './paths.ts'
import { writeResult } from './result.ts'

export type ExecuteOptions = {
  readonly place: Place
  readonly dir: string
  /** `now` kills what runs at once, also when it was told to stop before. */
  readonly stop: { readonly soft: AbortSignal; readonly hard: AbortSignal; readonly now: AbortSignal }
  readonly attended: boolean
  /** Goes on with a run that has ended, with these bounds given anew. */
  readonly reopen?: { readonly caps: Caps } | undefined
  readonly takeOver?: boolean | undefined
  /** It was told to end, and is not gone on with. */
  readonly endsOnly?: true
  /** Of whoever owns the run already. It is for them to release it. */
  readonly lease?: Lease | undefined
  readonly onEvent?: (event: LoopEvent, view: View<unknown>) => void
  readonly onSaved?: (seq: number) => void
  readonly onProgress?: (progress: Progress) => void
  /** Something a person should know, such as a torn line that was cut off. */
  readonly onNotice: (text: string) => void
}

/** How the run left, and what `result.json` says of it. */
export type Executed = { readonly left: Left<unknown>; readonly result: Readonly<Record<string, unknown>> }

/** Opens a run's folder, goes on with the run there, and leaves its projections up to date. */
export function executeRun(options: ExecuteOptions): Promise<Executed> {
  const frozen = readFrozenRequest(options.dir)
  // An amended request is of the same mode.
  return bindMode(frozen.original).use((mode, original) =>
    execute(mode, { ...frozen, original, current: frozen.current as typeof original }, options),
  )
}

async function execute<Request extends RunRequest, Memo>(
  mode: Mode<Request, Memo>,
  { original, originalHash, current: request }: Frozen<Request>,
  options: ExecuteOptions,
): Promise<Executed> {
  const { place, dir, onNotice } = options
  const { agents } = mode.commands(request)
  const runMark = runMarkOf({ originalHash })
  const shell = await openShell(request, { place, dir, kill: options.stop.now, runMark, agents })
  const artifacts = (options.endsOnly ? openContentToEnd : openRunContent)(place, dir, original)
  const lease = options.lease ?? acquireLease(dir, { force: options.takeOver ?? false })
  try {
    const ended = await shell.endLeftovers(request.run_id)
    if (ended) onNotice(`ended ${ended} processes that an earlier run of this left behind`)
    const journal = openFileJournal({
      dir,
      run: request.run_id,
      lease,
      flushContent: artifacts.flush,
      hasContent: artifacts.has,
      onRepair: (what) => onNotice(`journal: ${what}`),
    })
    try {
      const lost = onceOnly((error) => {
        forgetWhole(dir)
        onNotice(`${(error as Error).message}. The loop goes on; resume is not available.`)
      })
      const strict = request.durability === 'strict'
      const content = strict ? artifacts : bestEffortContent(artifacts, lost)
      const { work, projection, resultOf } = mode.compose(original, {
        place,
        current: request,
        dir,
        shell,
        artifacts: content,
        confined: (await shell.confinement()) === 'bubblewrap',
        onProgress: options.onProgress,
        onNotice,
      })
      const seen = await openRepository(place, request.workspace).look()
      const left = await runLoop({
        run: request.run_id,
        policy: mode.policy(original, dir),
        work,
        journal: strict ? journal : bestEffort(journal, lost),
        inbox: strict ? openInbox(dir) : bestEffortInbox(openInbox(dir), lost),
        clock: systemClock,
        stop: options.stop,
        start: {
          pins: { request: originalHash, ...(seen && { head: seen.head ?? '', dirty: String(seen.dirty) }) },
          origins: { ...original.origins },
        },
        reopen: options.reopen && reopening(options.reopen.caps, original.caps),
        attended: options.attended,
        holdMs: Number.POSITIVE_INFINITY,
        onEvent: (event, view) => {
          projection.onEvent?.(event, view)
          options.onEvent?.(event, view)
        },
        onSaved: (seq, view) => {
          projection.onSaved(view)
          options.onSaved?.(seq)
        },
      })
      // Whoever was taken over has nothing more to say about the run.
      const takenOver = left.status === 'unsaved' && left.error instanceof StaleWriterError
      const result = resultOf(left, signalOf(options.stop))
      if (!takenOver) {
        writeResult(dir, result)
        projection.onLeft(left)
      }
      return { left, result }
    } finally {
      journal.close()
    }
  } finally {
    if (!options.lease) lease.release()
  }
}

/** The name of the signal that a stop came from. */
export function signalOf(stop: ExecuteOptions['stop']): string | undefined {
  const stopped = [stop.hard, stop.soft].find(({ aborted }) => aborted)
  return stopped && String(stopped.reason)
}

function forgetWhole(dir: string): void {
  try {
    rmSync(join(dir, wholeMark), { force: true })
  } catch {
    // A disk that takes nothing at all: the result, if one can be written, tells as well.
  }
}

function onceOnly<T>(tell: (value: T) => void): (value: T) => void {
  let told = false
  return (value) => {
    if (!told) tell(value)
    told = true
  }
}
