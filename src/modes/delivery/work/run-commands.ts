import { join } from 'node:path'
import { type CommandTools, type FailedCommand, runUntilFailure } from '../../../judging/commands.ts'
import type { Place } from '../../../ports/shell.ts'
import type { Tree } from '../../../ports/snapshots.ts'
import type { Verification } from '../contract/input.ts'
import { isNoWorse } from '../core/evidence/compare-ids.ts'
import { type Format, readTestIds, splitResults, type TestIds } from '../core/evidence/test-ids.ts'
import { createInstaller } from './dependencies.ts'
import type { DeliveryTools } from './tools.ts'

/** `toolsFor` gets the name of the run, for its logs. */
export type CommandRun = {
  readonly name: string
  readonly tree: Tree
  readonly commands: readonly string[]
  readonly toolsFor: (name: string) => CommandTools
  /** Results of single tests before the story. With `verification.results`, tests that were red then may be red now. */
  readonly before?: TestIds | undefined
  /** Reads single tests only from the output of this command. */
  readonly reads?: string | undefined
  /** How that output named them before the story. */
  readonly format?: Format | undefined
  /** Only this command decides: those before it may fail, those after it do not run. */
  readonly only?: string | undefined
  readonly withoutHistory?: boolean | undefined
}

export type RanCommands = {
  readonly failed: FailedCommand | undefined
  /** The failure consists of tests that were red before the story: those of other stories. */
  readonly tolerated: boolean
  /** Results of single tests: of the command that was asked for, or else of the one that failed, or of the last one that names any. */
  readonly ids: TestIds | undefined
  readonly ms: number
}

export type RunCommands = (run: CommandRun, signal: AbortSignal) => Promise<RanCommands>

/** Runs commands on the files of a tree: in the clean room if there is one, otherwise in the work tree. */
export function createCommandRunner(verification: Verification, tools: DeliveryTools): RunCommands {
  const { room, roomShell, workspace } = tools
  const { results, reset = [], prepare = [] } = verification
  const install = room && createInstaller(verification, { ...tools, room })

  return async (run, signal) => {
    const begun = performance.now()
    const timed = (ran: Omit<RanCommands, 'ms'>): RanCommands => ({ ...ran, ms: performance.now() - begun })
    if (!room || !install) return timed(await runAll(run, undefined, signal))
    const installed = await install(run.tree, run.toolsFor, signal)
    if ('failed' in installed) return timed({ failed: installed.failed, tolerated: false, ids: undefined })
    const { withoutHistory } = run
    return timed(await room.use(run.tree, (place) => runAll(run, place, signal), { ...installed, withoutHistory }))
  }

  async function runAll(
    { name, commands: all, toolsFor, before, reads, format: usual, only: wanted }: CommandRun,
    place: Place | undefined,
    signal: AbortSignal,
  ) {
    const where = (what: string): CommandTools => {
      const own = toolsFor(what)
      return place ? { ...own, place, shell: roomShell, env: { ...own.env, ...listTests(own.env) } } : own
    }
    const unready = await runUntilFailure([...reset, ...prepare], where(`${name}-prepare`), signal)
    if (unready) return { failed: { ...unready, index: -1 }, tolerated: false, ids: undefined }
    const own = where(name)
    const { file, format } = results === undefined ? {} : splitResults(results)
    const folder = place ? (place.mounts?.files.upper ?? place.at) : workspace
    const readReport = (): string | undefined => (file === undefined ? undefined : tools.readFile(join(folder, file)))
    let report = readReport()
    let ids: TestIds | undefined
    let tolerated: FailedCommand | undefined
    // A command that is not among them decides nothing: then all do.
    const only = all.find((command) => command === wanted)
    const commands = only === undefined ? all : all.slice(0, all.indexOf(only) + 1)
    for (const [index, command] of commands.entries()) {
      const failed = await runUntilFailure([command], { ...own, logOf: () => own.logOf(index) }, signal)
      // A report that was there before the command is not its own: an agent can commit one.
      const known = report
      report = readReport()
      const text = file === undefined ? tools.readFile(own.logOf(index)) : report === known ? undefined : report
      const isRead = text !== undefined && (reads === undefined || command === reads)
      const read = isRead ? readTestIds(text, usual ?? format) : undefined
      ids = read ?? ids
      if (!failed || (only !== undefined && command !== only)) continue
      const isOthers = results !== undefined && read !== undefined && before !== undefined && isNoWorse(before, read)
      if (!isOthers) return { failed: { ...failed, index }, tolerated: false, ids: reads === undefined ? read : ids }
      tolerated ??= { ...failed, index }
    }
    return { failed: tolerated, tolerated: tolerated !== undefined, ids }
  }
}

/** Makes runners name the tests that pass, too, also if one file cannot be loaded. */
const listTests = ({ PYTEST_ADDOPTS = '', GOFLAGS = '' }: Readonly<Record<string, string>>) => ({
  PYTEST_ADDOPTS: `${PYTEST_ADDOPTS} -rfEp --continue-on-collection-errors`.trim(),
  GOFLAGS: `${GOFLAGS} -v`.trim(),
})
