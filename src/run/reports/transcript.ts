import { PawlError } from '../../contract/exit.ts'
import { describeEntry, type TranscriptEntry } from '../../contract/transcript.ts'
import type { Usage } from '../../contract/values.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import { logName } from '../../show/report/gates.ts'
import type { Program } from '../mode.ts'
import { openRunToRead } from '../open-run.ts'

/** One attempt of an agent, as the journal records it. */
export type AgentAttempt = {
  readonly task: string
  readonly attempt: number
  /** The name of the agent, which decides how its output is read. */
  readonly agent: string
  readonly startedAt: number
  readonly ended?: AttemptEnd
}
export type AttemptEnd = {
  readonly status: string
  readonly detail: string | undefined
  readonly usage: Usage
  readonly ms: number
}

export type AttemptChoice = { readonly task?: string | undefined; readonly attempt?: number | undefined }

/** A part of the conversation: the beginning of an attempt, its entries, and its end if it has ended. */
export type TranscriptPart = { readonly of: AgentAttempt } & (
  | { readonly is: 'attempt' }
  | { readonly is: 'entry'; readonly entry: TranscriptEntry }
  | { readonly is: 'end'; readonly end: AttemptEnd }
)

export type TranscriptOptions = {
  readonly choice: AttemptChoice
  /** Only the last entries. */
  readonly last?: number | undefined
  /** Only entries from this time on. An entry without a time has that of the entry before it, or of the attempt's start. */
  readonly since?: number | undefined
  /** Continue while the run works: with the chosen attempt, or with each new one if none was chosen. */
  readonly follow: boolean
}

const pollMs = 200

/** Yields the conversation of an attempt with its agent. Default: the last attempt, which may be running. */
export async function* readTranscript(
  program: Program,
  stored: StoredRun,
  options: TranscriptOptions,
): AsyncGenerator<TranscriptPart> {
  const { choice, follow } = options
  const { openTranscript } = program.machine.agents
  const isChosen = choice.task !== undefined || choice.attempt !== undefined
  let of: AgentAttempt | undefined = await findAttempt(program, stored, choice, follow)
  for (let isFirst = true; of; isFirst = false) {
    yield { is: 'attempt', of }
    yield* entriesOf(of, isFirst ? options.last : undefined)
    const { ended } = await findAttempt(program, stored, of)
    if (ended) yield { is: 'end', of, end: ended }
    of = follow && !isChosen ? await findNext(of) : undefined
  }

  async function* entriesOf(attempt: AgentAttempt, last: number | undefined): AsyncGenerator<TranscriptPart> {
    const name = logName(attempt, 'agent')
    const reader = await openTranscript(attempt.agent)
    const bytes = readBytes(stored, name, last === undefined ? 0 : await findStart(name, attempt.agent, last))
    const passes = createFilter(attempt.startedAt, options.since)
    const held = holdLast(last)
    const pass = (entries: readonly TranscriptEntry[]): TranscriptPart[] =>
      held.add(entries.filter(passes)).map((entry) => ({ is: 'entry', of: attempt, entry }))
    for (let polls = 0; ; polls++) {
      const isOver = !follow || attempt.ended !== undefined || (await isDone(attempt, polls))
      for await (const text of bytes.read()) yield* pass(reader.read(text))
      if (isOver) yield* pass(reader.end())
      for (const entry of held.release()) yield { is: 'entry', of: attempt, entry }
      if (isOver) return
      await pause(pollMs)
    }
  }

  /** The journal is read only sometimes, because it may be long. */
  async function isDone(attempt: AgentAttempt, polls: number): Promise<boolean> {
    if ((await stored.owner()) === undefined) return true
    return polls % 5 === 4 && (await findAttempt(program, stored, attempt)).ended !== undefined
  }

  /** Waits for the attempt after this one. Undefined once no process runs the run. */
  async function findNext(before: AgentAttempt): Promise<AgentAttempt | undefined> {
    for (;;) {
      const over = (await stored.owner()) === undefined
      const newest = await findAttempt(program, stored, {})
      if (newest.task !== before.task || newest.attempt !== before.attempt) return newest
      if (over) return undefined
      await pause(5 * pollMs)
    }
  }

  /** Finds how far back the last entries begin, in a log of any size. */
  async function findStart(name: string, agent: string, count: number): Promise<number> {
    for (let size = firstWindow; ; size *= 4) {
      const from = (await stored.output(name, -size))?.from ?? 0
      if (from === 0) return 0
      const reader = await openTranscript(agent)
      let found = 0
      for await (const text of readBytes(stored, name, from).read()) found += reader.read(text).length
      // The first line of the window may be the rest of a longer one.
      if (found > count) return from
    }
  }
}

const firstWindow = 256 * 1024
const tailBytes = 64 * 1024

/** Returns the error that a running attempt reported last, if it has done nothing since: a provider that refuses or is overloaded. */
export async function findCurrentProblem(
  { machine }: Pick<Program, 'machine'>,
  stored: StoredRun,
  { task, attempt, agent }: Pick<AgentAttempt, 'task' | 'attempt' | 'agent'>,
): Promise<string | undefined> {
  const name = logName({ task, attempt }, 'agent')
  const from = (await stored.output(name, -tailBytes))?.from ?? 0
  const reader = await machine.agents.openTranscript(agent)
  let last: TranscriptEntry | undefined
  for await (const text of readBytes(stored, name, from).read())
    last = reader.read(text).findLast(({ kind }) => kind !== 'usage' && kind !== 'output') ?? last
  return last?.kind === 'error' ? describeEntry(last) : undefined
}

/** Reads a log piece by piece, starting at a byte. A log that starts in the middle begins with its first complete line. */
function readBytes(stored: StoredRun, name: string, start: number) {
  const decoder = new TextDecoder()
  let at = start
  let torn = start > 0
  return {
    /** Yields everything that was written since the last call. */
    async *read(): AsyncGenerator<string> {
      for (;;) {
        const read = await stored.output(name, at)
        if (!read || read.bytes.length === 0) return
        at += read.bytes.length
        const text = decoder.decode(read.bytes, { stream: true })
        if (!torn) yield text
        else if (text.includes('\n')) {
          torn = false
          yield text.slice(text.indexOf('\n') + 1)
        }
      }
    },
  }
}

function createFilter(startedAt: number, since: number | undefined): (entry: TranscriptEntry) => boolean {
  let at = startedAt
  return (entry) => {
    at = entry.at ?? at
    return since === undefined || at >= since
  }
}

/** Holds back all but the last entries until `release`. Without a count, and after it, everything passes. */
function holdLast(count: number | undefined) {
  let limit = count
  let held: readonly TranscriptEntry[] = []
  return {
    add: (entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] => {
      if (limit === undefined) return entries
      held = limit === 0 ? [] : [...held, ...entries].slice(-limit)
      return []
    },
    release: (): readonly TranscriptEntry[] => {
      const released = held
      ;[limit, held] = [undefined, []]
      return released
    },
  }
}

/** Finds the chosen attempt, or the last one. Throws a PawlError that names what there is. `waits`: for the first one. */
async function findAttempt(
  program: Program,
  stored: StoredRun,
  choice: AttemptChoice,
  waits = false,
): Promise<AgentAttempt> {
  const open = await openRunToRead(program, stored)
  const { name } = stored.entry
  const agent = open.use((mode, run) => mode.commands(run.current.request).agents[0]?.name)
  const tasks = new Set<string>()
  let found: AgentAttempt | undefined
  let usage: Usage = noUsage
  for await (const page of (await stored.read()).events) {
    for (const event of page) {
      const { task, attempt, chore } = event
      if (chore || task === null || attempt === null) continue
      if (event.type === 'attempt-started') {
        if (tasks.size < maxNamed) tasks.add(task)
        if (!fits(choice, task, attempt)) continue
        found = { task, attempt, agent: agent ?? event.via, startedAt: event.at }
        usage = noUsage
      }
      if (!found || found.task !== task || found.attempt !== attempt) continue
      if (event.type === 'call-ended') {
        found = { ...found, agent: event.call.via }
        usage = event.call.usage
      }
      if (event.type === 'attempt-ended') {
        const { status, detail } = event.outcome
        found = { ...found, ended: { status, detail, usage, ms: event.at - found.startedAt } }
      }
    }
  }
  if (agent === undefined)
    throw new PawlError(
      2,
      `${name} has no conversation with an agent`,
      (pawl) => `To see its texts: ${pawl} logs --output`,
    )
  if (found) return found
  if (waits && (await stored.owner()) !== undefined) {
    await pause(pollMs)
    return findAttempt(program, stored, choice, waits)
  }
  if (tasks.size === 0) throw new PawlError(2, `${name} has no attempts yet`)
  const which = `${choice.task ?? 'any task'}${choice.attempt === undefined ? '' : `, attempt ${choice.attempt}`}`
  throw new PawlError(2, `${name} has no attempt of ${which}`, `Its tasks: ${[...tasks].join(', ')}`)
}

const noUsage: Usage = { tokens: null, costUsd: null }
const maxNamed = 20

/** A task may be given without its prefix: `2` for `iteration-2`. */
const fits = (choice: AttemptChoice, task: string, attempt: number): boolean =>
  (choice.task === undefined || task === choice.task || task.endsWith(`-${choice.task}`)) &&
  (choice.attempt === undefined || attempt === choice.attempt)

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
