import type { LoopEvent } from '../../contract/event.ts'
import { PawlError } from '../../contract/exit.ts'
import type { Line, Output } from '../../contract/show.ts'
import { advance, emptyView } from '../../kernel/step.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import type { About } from '../../show/show.ts'
import { checkData } from '../event-data.ts'
import type { Mode, ModeText, Program } from '../mode.ts'
import { openRun } from '../open-run.ts'
import { foldRun } from '../read-run.ts'
import type { Run } from '../run.ts'
import { preloadContent } from '../words.ts'

const maxTailBytes = 64 * 1024
const pollMs = 200

/** Returns the end of the newest process output. */
export async function readNewestOutput(stored: StoredRun): Promise<{ path: string; text: string } | undefined> {
  const name = (await stored.outputs()).at(-1)
  const read = name === undefined ? undefined : await stored.output(name, -maxTailBytes)
  return read && { path: stored.where(name!), text: new TextDecoder().decode(read.bytes) }
}

/** Streams the output of agents and gates, one after the other, until no process runs the run any more. */
export async function* followOutput(stored: StoredRun): AsyncGenerator<string> {
  let name: string | undefined
  let at = 0
  let decoder = new TextDecoder()
  for (;;) {
    const over = (await stored.owner()) === undefined
    const newest = (await stored.outputs()).at(-1)
    if (newest !== undefined && newest !== name) {
      if (name !== undefined) yield* rest(name)
      const tail = await stored.output(newest, -maxTailBytes)
      ;[name, at, decoder] = [newest, tail?.from ?? 0, new TextDecoder()]
      yield `== ${newest} ==\n`
    }
    if (name !== undefined) yield* rest(name)
    if (over) return
    await pause(pollMs)
  }

  async function* rest(log: string): AsyncGenerator<string> {
    const read = await stored.output(log, at)
    if (!read || read.bytes.length === 0) return
    at += read.bytes.length
    yield decoder.decode(read.bytes, { stream: true })
  }
}

export type WrittenText = Pick<Output, 'name' | 'data'> & { readonly text: string }

/**
 * Reads the texts that a run produced: the newest, or with `follow` all of them, including future ones. undefined if the mode's
 * output is that of its processes.
 */
export async function readTexts(
  program: Program,
  stored: StoredRun,
  follow: boolean,
): Promise<AsyncIterable<WrittenText> | undefined> {
  const open = await openRun(program, stored)
  return open.use((mode, { content }) => {
    const { outputs } = mode.show
    if (!outputs) return undefined
    const read = async ({ name, data, ref }: Output): Promise<WrittenText> => {
      const text = new TextDecoder().decode(await content.get(ref))
      return { name, data, text: mode.cleanText?.(text) ?? text }
    }
    return texts(checkedEvents(mode, stored, follow), outputs, read, follow)
  })
}

async function* texts(
  events: AsyncIterable<LoopEvent>,
  outputs: (event: LoopEvent) => readonly Output[],
  read: (output: Output) => Promise<WrittenText>,
  follow: boolean,
): AsyncGenerator<WrittenText> {
  let newest: Output | undefined
  for await (const event of events) {
    for (const output of outputs(event)) {
      if (follow) yield await read(output)
      newest = output
    }
  }
  if (!follow && newest) yield await read(newest)
}

/** Yields a run's events, each checked with the mode's schemas. */
export async function* checkedEvents<Memo>(
  door: Parameters<typeof checkData<Memo>>[0],
  stored: StoredRun,
  follow: Follow,
): AsyncGenerator<LoopEvent> {
  for await (const event of followEvents(stored, follow)) {
    await checkData(door, stored, [event])
    yield event
  }
}

/** Which events: those stored so far, also future ones until the run ends or is interrupted, or all until the signal fires. */
export type Follow = boolean | AbortSignal

async function* followEvents(stored: StoredRun, follow: Follow): AsyncGenerator<LoopEvent> {
  if (!follow) {
    for await (const page of (await stored.read()).events) yield* page
    return
  }
  if (follow instanceof AbortSignal) {
    for await (const page of stored.follow(0, follow)) yield* page
    return
  }
  const stop = new AbortController()
  try {
    for await (const page of stored.follow(0, stop.signal)) {
      yield* page
      // Only the last stored event counts: an ended or interrupted run may have been resumed.
      const last = page.at(-1)
      const isEnd = last?.type === 'run-ended' || last?.type === 'run-interrupted'
      if (isEnd && (await readLastSeq(stored)) === last.seq) return
    }
  } finally {
    stop.abort()
  }
}

/** Returns the number of the last stored event; 0 before the first. */
export async function readLastSeq(stored: StoredRun): Promise<number> {
  let seq = 0
  for await (const page of (await stored.read()).events) seq = page.at(-1)?.seq ?? seq
  return seq
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Returns the text that a run produced. Refused if the mode produces none. */
export async function readText(program: Program, stored: StoredRun): Promise<ModeText> {
  const open = await openRun(program, stored)
  return open.use(read)
}

async function read<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  run: Run<Request>,
): Promise<ModeText> {
  if (!mode.text) throw new PawlError(2, `${run.entry.name} is a ${mode.name}: it produces no text`)
  const inputs = await mode.load(run)
  return mode.text(run, inputs, await foldRun(mode, run, inputs))
}

type ShownEvent = { readonly event: LoopEvent; readonly lines: readonly Line[] }

/** Yields a run's events with their lines, from the first. With `follow` also future ones. */
export async function* showEvents(program: Program, stored: StoredRun, follow: Follow): AsyncGenerator<ShownEvent> {
  const open = await openRun(program, stored)
  yield* open.use((mode, run) => show(mode, run, follow))
}

async function* show<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  run: Run<Request>,
  follow: Follow,
): AsyncGenerator<ShownEvent> {
  const inputs = await mode.load(run)
  const policy = mode.policy(run.original, inputs)
  const words = preloadContent(run.content, true)
  const { request } = run.current
  const { id, name } = run.entry
  const about: About<Request, Inputs> = { id, name, request, inputs, words: words.get }
  let before = emptyView(policy)
  for await (const event of checkedEvents(mode, run.stored, follow)) {
    const after = advance(before, event, policy)
    await words.load(mode.show.wants(event, after, request))
    yield { event, lines: mode.show.lines({ event, before, after }, about) }
    before = after
  }
}
