import { findRun } from '../../../run/reports/find-run.ts'
import { reportRun } from '../../../run/reports/report.ts'
import type { Handler } from '../../terminal/command.ts'
import { createRendering, renderText } from '../../terminal/render.ts'
import { renderBlocks } from '../../terminal/render-blocks.ts'
import { joinTexts } from '../../terminal/styled.ts'
import { reportJson } from './show.ts'

export const handle: Handler = async ({ program, args, io }) => {
  const stored = await findRun(program.machine, args[0])
  const { id, name } = stored.entry
  const report = await reportRun(program, stored)
  const rendering = createRendering(program, id, io)
  io.result({ run: id, ...reportJson(report, rendering) }, () => [
    joinTexts([`${name} (${id}) `, renderText([report.summary], rendering)]),
    ...renderBlocks(report.why, rendering),
  ])
  return 0
}
