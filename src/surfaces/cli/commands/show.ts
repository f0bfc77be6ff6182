import { PawlError } from '../../../contract/exit.ts'
import { cleanOutput } from '../../../judging/text/clean-output.ts'
import { showDiff } from '../../../modes/refinement/cli/show-result.ts'
import { findText } from '../../../modes/refinement/show/report/find-text.ts'
import type { RefineWords } from '../../../modes/refinement/show/sections.ts'
import { readResultText } from '../../../modes/refinement/start/result-text.ts'
import { findRun } from '../../../run/find-run.ts'
import type { RunEntry } from '../../../run/index-of-runs.ts'
import type { Place } from '../../../run/paths.ts'
import { type Report, reportRun } from '../../../run/report.ts'
import { subjectOf } from '../../../run/subject.ts'
import { markdownOf } from '../../terminal/report-markdown.ts'
import { headlineOf, placeLine, sectionsOf } from '../../terminal/report-sections.ts'
import type { Handler, Invocation } from '../command.ts'

export const handle: Handler = async (invocation) => {
  const { place, args, options, io } = invocation
  if (options.text === true) return showText(invocation)
  if (options.diff === true) return compare(invocation)
  const format = formatOf(options.format)
  const run = findRun(place, args[0])
  const report = await reportRun(place, run, Date.now())
  const words = report.refinement && !io.json ? await wordsOf(place, run) : undefined
  io.result(report, () => format(report, place.cwd, words))
  return 0
}

async function showText({ place, args, io }: Invocation): Promise<0> {
  const run = findRun(place, args[0])
  const { text: written, kind } = await readResultText(place, run)
  if (written === undefined) throw new PawlError(2, `${run.name} has no text yet`, `What it did: pawl show ${run.id}`)
  const text = cleanOutput(written)
  if (io.json) io.data({ run: run.id, kind, text })
  else io.content(text)
  return 0
}

async function wordsOf(place: Place, run: RunEntry): Promise<RefineWords | undefined> {
  const { refine } = subjectOf(place, run)
  return refine && { refine, text: await findText(place, run) }
}

async function compare({ place, args, io }: Invocation): Promise<0> {
  const run = findRun(place, args[0])
  const { text, brief } = await readResultText(place, run)
  if (text === undefined || brief.file === undefined) {
    throw new PawlError(2, `${run.name} has nothing to compare`, `Its text: pawl show ${run.id} --text`)
  }
  showDiff(io, brief, text)
  return 0
}

type Format = (report: Report, cwd: string, words?: RefineWords) => string[]

function formatOf(name: unknown): Format {
  if (name === undefined || name === 'text') return textOf
  if (name === 'github') return markdownOf
  throw new PawlError(2, `no format is called ${name as string}`, 'Known: text, github')
}

function textOf(report: Report, cwd: string, words?: RefineWords): string[] {
  const sections = sectionsOf(report, cwd, words).flatMap(({ title, lines }) => [
    '',
    title,
    ...lines.map((line) => `  ${line}`),
  ])
  return [headlineOf(report, words), placeLine(report, cwd), ...sections]
}
