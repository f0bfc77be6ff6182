import type { Block } from '../../contract/show.ts'
import type { Io } from './io.ts'
import { renderDiff } from './render-diff.ts'

/** The work itself, alone on stdout: as it is for a program, which may want to apply a diff; coloured for a person. */
export function printOutput(
  io: Pick<Io, 'out' | 'content' | 'screen'>,
  output: Extract<Block, { kind: 'document' | 'diff' }>,
): void {
  if (output.kind === 'document') {
    io.content(output.text)
    return
  }
  const lines = renderDiff(output, io.screen !== undefined)
  if (io.screen) for (const line of lines) io.out(line.text, line.look)
  else io.content(lines.map((line) => line.text).join('\n'))
}
