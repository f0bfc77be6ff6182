import { hostname } from 'node:os'
import { PawlError } from '../../../../contract/exit.ts'
import { requireDatabase } from '../../../../run/queue/queued-machine.ts'
import { takeTurn } from '../../../../run/queue/take-turn.ts'
import { openCollector } from '../../../../run/tracing/collector.ts'
import { traceTurn } from '../../../../run/tracing/trace-turn.ts'
import { formatClockTime } from '../../../../show/format.ts'
import type { Handler } from '../../../terminal/command.ts'

type Options = {
  readonly concurrency?: string
  readonly only?: readonly string[]
  readonly limit?: readonly string[]
  readonly grace?: string
  readonly otlp?: string
}

const defaultGraceSeconds = 25

/** Executes queued runs until it is told to stop. */
export const handle: Handler = async ({ program, options: given, io }) => {
  const options = given as Options
  const { machine } = program
  const database = requireDatabase(machine, 'a worker')
  const concurrency = readCount('--concurrency', options.concurrency ?? '1', 1)
  const graceMs = readCount('--grace', options.grace ?? String(defaultGraceSeconds), 0) * 1000
  const names = program.modes.map(({ name }) => name)
  const modes = readModes(options.only ?? [], names)
  const perMode = readLimits(options.limit ?? [], names)
  const stops = listenForSignals(graceMs, io.err)
  const print = (text: string): void => io.err(`[${formatClockTime(Date.now())}] ${text}`)
  const collector = options.otlp === undefined ? undefined : openCollector(options.otlp, print)
  print(`worker ${process.pid} on ${hostname()} takes up to ${concurrency} at once. Stop with Ctrl-C or SIGTERM.`)
  const own = { ...program, machine: { ...machine, store: database.store } }
  await database.queue.work(
    { concurrency, ...(modes && { modes }), ...(perMode && { perMode }), signal: stops.drain, onProblem: print },
    async (turn) => {
      print(`${turn.run}: taken (${turn.mode}, job ${turn.job})`)
      const onNotice = (text: string): void => print(`${turn.run}: ${text}`)
      const after = await traceTurn(collector, turn, (onEvent) =>
        takeTurn(own, turn, { stop: stops, onNotice, onEvent }),
      )
      print(`${turn.run}: ${after.is === 'again' ? `wants another turn at ${formatClockTime(after.at)}` : after.is}`)
      return after
    },
  )
  await collector?.close()
  print('stopped')
  return 0
}

function readCount(flag: string, given: string, least: number): number {
  const count = Number(given)
  if (Number.isInteger(count) && count >= least && count <= 10_000) return count
  throw new PawlError(2, `${flag} takes a number from ${least} on, not ${given}`)
}

function readModes(only: readonly string[], known: readonly string[]): readonly string[] | undefined {
  for (const mode of only) checkMode(mode, known)
  return only.length > 0 ? only : undefined
}

function readLimits(limits: readonly string[], known: readonly string[]): Record<string, number> | undefined {
  if (limits.length === 0) return undefined
  return Object.fromEntries(
    limits.map((limit) => {
      const [mode = '', count = ''] = limit.split('=')
      checkMode(mode, known)
      return [mode, readCount('--limit', count, 0)]
    }),
  )
}

function checkMode(mode: string, known: readonly string[]): void {
  if (!known.includes(mode))
    throw new PawlError(2, `there is no kind of run called ${mode}`, `Known: ${known.join(', ')}`)
}

/** The first signal takes no more runs and lets those at work finish their step; after a while, or at the second, they end at once. */
function listenForSignals(graceMs: number, print: (text: string) => void) {
  const [drain, soft, hard, now] = Array.from({ length: 4 }, () => new AbortController()) as [
    AbortController,
    AbortController,
    AbortController,
    AbortController,
  ]
  const stop = (name: NodeJS.Signals): void => {
    if (drain.signal.aborted) {
      hard.abort(name)
      now.abort(name)
      return
    }
    print(
      'Stopping: runs finish their current step, others go back to the queue. Send the signal again to stop at once.',
    )
    drain.abort(name)
    soft.abort(name)
    setTimeout(() => hard.abort(name), graceMs).unref()
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
  return { drain: drain.signal, soft: soft.signal, hard: hard.signal, now: now.signal }
}
