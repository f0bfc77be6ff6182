import { duration } from '../../../contract/config/setting.ts'
import { PawlError } from '../../../contract/exit.ts'
import { toLine } from '../../../contract/line.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import { findRun } from '../../../run/reports/find-run.ts'
import { followOutput, readNewestOutput, readTexts, showEvents, type WrittenText } from '../../../run/reports/output.ts'
import { readTranscript, type TranscriptPart } from '../../../run/reports/transcript.ts'
import type { Handler, Invocation } from '../../terminal/command.ts'
import { createRendering, renderEventLines } from '../../terminal/render.ts'
import { renderTranscript } from '../../terminal/render-transcript.ts'

export const handle: Handler = async (invocation) => {
  const { program, args, options, io } = invocation
  checkOptions(invocation)
  const stored = await findRun(program.machine, args[0])
  const follow = options.follow === true
  if (options.agent === true) return printTranscript(stored, invocation)
  if (options.output === true) {
    const texts = await readTexts(program, stored, follow)
    return texts ? printTexts(stored, texts, invocation) : printOutputs(stored, invocation)
  }
  const rendering = createRendering(program)
  for await (const { event, lines } of showEvents(program, stored, follow)) {
    if (io.closed()) break
    if (io.json) io.data(toLine(event, stored.entry.id))
    else for (const line of renderEventLines(event, lines, rendering)) io.out(line)
  }
  return 0
}

/** `--attempt`, `-n` and `--since` belong to the conversation with an agent. */
function checkOptions({ args, options }: Invocation): void {
  if (options.agent === true) {
    if (options.output !== true) return
    throw new PawlError(2, '--agent and --output exclude each other', 'Give one of them.')
  }
  const needing = [
    ...(args[1] === undefined ? [] : ['a task']),
    ...['attempt', 'last', 'since'].filter((name) => options[name] !== undefined).map((name) => `--${name}`),
  ]
  if (needing.length > 0)
    throw new PawlError(2, `${needing.join(' and ')} needs --agent`, 'Add --agent to the command.')
}

/** Prints the conversation of an attempt with its agent, readable or as one JSON object per entry. */
async function printTranscript(stored: StoredRun, { program, args, options, io }: Invocation): Promise<0> {
  const { attempt, last, since } = options as Readonly<Record<string, string | undefined>>
  const parts = readTranscript(program, stored, {
    choice: { task: args[1], attempt: readCount(attempt, '--attempt') },
    last: readCount(last, '-n'),
    since: readSince(since, program.machine.clock.now()),
    follow: options.follow === true,
  })
  for await (const part of parts) {
    if (io.closed()) break
    if (!io.json) for (const { text, look } of renderTranscript(part)) io.out(text, look)
    else if (part.is !== 'attempt') io.data(toJson(stored.entry.id, part))
  }
  return 0
}

function toJson(run: string, part: Exclude<TranscriptPart, { is: 'attempt' }>): unknown {
  const { task, attempt, agent } = part.of
  const place = { run, task, attempt, agent }
  if (part.is === 'end') return { ...place, at: null, kind: 'end', ...part.end, detail: part.end.detail ?? null }
  const { at, ...entry } = part.entry
  return { ...place, at: at === undefined ? null : new Date(at).toISOString(), ...entry }
}

function readCount(given: string | undefined, flag: string): number | undefined {
  if (given === undefined) return undefined
  if (/^[0-9]{1,7}$/.test(given)) return Number(given)
  throw new PawlError(2, `${flag} takes a number, not ${given}`)
}

/** Reads `10m` as a time in the past, anything else as a date with a time. */
function readSince(given: string | undefined, now: number): number | undefined {
  if (given === undefined) return undefined
  const ago = pastDuration.safeParse(given)
  if (ago.success) return now - ago.data
  const at = Date.parse(given)
  if (!Number.isNaN(at)) return at
  throw new PawlError(
    2,
    `--since takes a duration or a time, not ${given}`,
    'For example: --since 10m, or --since 2026-11-16T14:00',
  )
}

const pastDuration = duration(0, 'a duration such as 10m')

/** Prints the newest text, or each one as it is written. Stdout holds only the texts; their titles go to stderr. */
async function printTexts(
  { entry: { id, name } }: StoredRun,
  texts: AsyncIterable<WrittenText>,
  { options, io }: Invocation,
): Promise<0> {
  const follow = options.follow === true
  let shown = 0
  for await (const { name: title, data, text } of texts) {
    if (io.closed()) break
    shown += 1
    if (io.json) io.data({ run: id, ...(data as object), text })
    else {
      if (follow) io.err(`== ${title} ==`)
      io.content(text)
    }
  }
  if (shown === 0 && !follow) throw new PawlError(2, `${name} has no text yet`)
  return 0
}

async function printOutputs(stored: StoredRun, { options, io }: Invocation): Promise<0> {
  const { id, name } = stored.entry
  if (options.follow !== true) {
    const output = await readNewestOutput(stored)
    if (!output) throw new PawlError(2, `${name} has no output yet`)
    io.result({ run: id, ...output }, () => [`${output.path}:`, ...output.text.trimEnd().split('\n')])
    return 0
  }
  let open = ''
  for await (const text of followOutput(stored)) {
    if (io.closed()) break
    const lines = (open + text).split('\n')
    open = lines.pop() ?? ''
    for (const line of lines)
      if (io.json) io.data({ output: line })
      else io.out(line)
  }
  if (open) io.out(open)
  return 0
}
