import { PawlError } from '../../../contract/exit.ts'
import { toLine } from '../../../contract/line.ts'
import { linesOf } from '../../../modes/procedure/show/lines.ts'
import { textsOf } from '../../../modes/refinement/start/texts.ts'
import { findRun } from '../../../run/find-run.ts'
import { foldOf } from '../../../run/fold-run.ts'
import { followEvents } from '../../../run/follow.ts'
import { followOutput, newestOutput } from '../../../run/follow-output.ts'
import { readFrozenRequest } from '../../../run/frozen-request.ts'
import type { RunEntry } from '../../../run/index-of-runs.ts'
import { subjectOf } from '../../../run/subject.ts'
import type { Handler, Invocation } from '../command.ts'

export const handle: Handler = async (invocation) => {
  const { place, args, options, io } = invocation
  const run = findRun(place, args[0])
  const isRefinement = options.output === true && readFrozenRequest(run.dir).current.mode === 'refinement'
  if (isRefinement) return showTexts(run, invocation)
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

/** What a refinement puts out is its texts: the newest, or each as it is written. They are content, and alone on stdout. */
async function showTexts(run: RunEntry, { place, options, io }: Invocation): Promise<0> {
  const follow = options.follow === true
  let shown = 0
  for await (const { text, ...about } of textsOf(place, run, follow)) {
    if (io.closed()) break
    shown += 1
    if (io.json) io.data({ run: run.id, ...about, text })
    else {
      if (follow) io.err(`== ${about.task}, iteration ${about.iteration} ==`)
      io.content(text)
    }
  }
  if (shown === 0 && !follow) throw new PawlError(2, `${run.name} has no text yet`)
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
