import { PawlError } from '../../../contract/exit.ts'
import { toLine } from '../../../contract/line.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import { findRun } from '../../../run/reports/find-run.ts'
import { followOutput, readNewestOutput, readTexts, showEvents, type WrittenText } from '../../../run/reports/output.ts'
import type { Handler, Invocation } from '../../terminal/command.ts'
import { createRendering, renderEventLines } from '../../terminal/render.ts'

export const handle: Handler = async (invocation) => {
  const { program, args, options, io } = invocation
  const stored = await findRun(program.machine, args[0])
  const follow = options.follow === true
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
