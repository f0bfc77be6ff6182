import { findRun } from '../../../app/find-run.ts'
import { foldOf } from '../../../app/fold-run.ts'
import { followEvents, newestOutput } from '../../../app/follow.ts'
import { PawlError } from '../../../contract/exit.ts'
import { toLine } from '../../../contract/line.ts'
import type { Handler } from '../command.ts'
import { linesOf } from '../lines.ts'

export const handle: Handler = async ({ place, args, options, io }) => {
  const run = findRun(place, args[0])
  if (options.output && options.follow) throw new PawlError(2, 'either --follow or --output, not both')
  if (options.output) {
    const output = newestOutput(run.dir)
    if (!output) throw new PawlError(2, `${run.name} has no output yet`)
    io.result({ run: run.id, ...output }, () => [`${output.path}:`, ...output.text.trimEnd().split('\n')])
    return 0
  }
  const fold = foldOf(run.dir)
  for await (const event of followEvents(run.dir, options.follow === true)) {
    if (io.closed()) break
    const view = fold(event)
    if (io.json) io.data(toLine(event, run.id))
    else for (const line of linesOf(event, view, run.name)) io.out(line)
  }
  return 0
}
