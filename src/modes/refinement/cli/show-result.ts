import { cleanOutput } from '../../../judging/text/clean-output.ts'
import { differenceOf } from '../../../judging/text/difference.ts'
import type { Invocation } from '../../../surfaces/cli/command.ts'
import type { Io } from '../../../surfaces/terminal/io.ts'
import type { Brief } from '../contract/request.ts'
import { differenceLines, handOverLines } from '../show/hand-over-lines.ts'
import { type Finished, type HandedOver, handOverAlone } from '../start/hand-over.ts'

/** What a refinement leaves: the text itself or a diff on stdout, and what was written, or was not and why. */
export function showResult(
  { io, place }: Pick<Invocation, 'io' | 'place'>,
  brief: Brief,
  finished: Finished,
): HandedOver {
  const { file, out } = brief
  const handed = handOverAlone(place, brief, finished)
  if (io.json) return handed
  if (finished.completed && finished.text !== undefined) {
    if (file) showDiff(io, brief, finished.text)
    else if (out === undefined || handed.did === 'kept') io.content(cleanOutput(finished.text))
  }
  for (const line of handOverLines(handed)) io.err(line)
  return handed
}

/** What became of the file; line ends alone are no difference. Coloured for a person; as it is for a program, which may want to apply it. */
export function showDiff(io: Pick<Io, 'out' | 'content' | 'screen'>, brief: Brief, text: string): void {
  const ending = brief.text?.endsWith('\n') ? '\n' : ''
  const after = cleanOutput(text).replace(/\n+$/, '') + ending
  const found = differenceOf(brief.file?.shown ?? 'text', brief.text ?? '', after)
  const lines = differenceLines(found, io.screen !== undefined)
  if (io.screen) for (const line of lines) io.out(line.text, line.look)
  else io.content(lines.map((line) => line.text).join('\n'))
}
