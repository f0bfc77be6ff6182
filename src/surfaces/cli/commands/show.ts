import { findRun } from '../../../app/find-run.ts'
import { type Report, reportRun } from '../../../app/report.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Handler } from '../command.ts'
import { markdownOf } from '../report-markdown.ts'
import { headlineOf, placeLine, sectionsOf } from '../report-sections.ts'

export const handle: Handler = async ({ place, args, options, io }) => {
  const format = formatOf(options.format)
  const report = await reportRun(place, findRun(place, args[0]), Date.now())
  io.result(report, () => format(report, place.cwd))
  return 0
}

type Format = (report: Report, cwd: string) => string[]

function formatOf(name: unknown): Format {
  if (name === undefined || name === 'text') return textOf
  if (name === 'github') return markdownOf
  throw new PawlError(2, `no format is called ${name as string}`, 'Known: text, github')
}

function textOf(report: Report, cwd: string): string[] {
  const sections = sectionsOf(report, cwd).flatMap(({ title, lines }) => [
    '',
    title,
    ...lines.map((line) => `  ${line}`),
  ])
  return [headlineOf(report), placeLine(report, cwd), ...sections]
}
