import { findRun } from '../../../app/find-run.ts'
import { foldOf } from '../../../app/fold-run.ts'
import { followEvents } from '../../../app/follow.ts'
import { followOutput, newestOutput } from '../../../app/follow-output.ts'
import type { RunEntry } from '../../../app/index-of-runs.ts'
import { subjectOf } from '../../../app/subject.ts'
import { PawlError } from '../../../contract/exit.ts'
import { toLine } from '../../../contract/line.ts'
import type { Handler, Invocation } from '../command.ts'
import { linesOf } from '../lines.ts'

export const handle: Handler = async (invocation) => {
  const { place, args, options, io } = invocation
  const run = findRun(place, args[0])
  if (options.output) return showOutput(run, invocation)
  const fold = foldOf(run.dir)
  const subject = subjectOf(place, run)
  for await (const event of followEvents(run.dir, options.follow === true)) {
    if (io.closed()) break
    const view = fold(event)
    if (io.json) io.data(toLine(event, run.id))
    else for (const line of linesOf(event, view, subject)) io.out(line)
  }
  return 0
}

async function showOutput(run: RunEntry, { options, io }: Invocation): Promise<0> {
  if (options.follow !== true) {
    const output = newestOutput(run.dir)
    if (!output) throw new PawlError(2, `${run.name} has no output yet`)
    io.result({ run: run.id, ...output }, () => [`${output.path}:`, ...output.text.trimEnd().split('\n')])
    return 0
  }
  let open = ''
  for await (const text of followOutput(run.dir)) {
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
