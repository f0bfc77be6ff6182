import { findRun } from '../../../app/find-run.ts'
import type { RunEntry } from '../../../app/index-of-runs.ts'
import type { Place } from '../../../app/paths.ts'
import { cleanOutput } from '../../../app/refine/clean-output.ts'
import { findText } from '../../../app/refine/report/find-text.ts'
import { readResultText } from '../../../app/refine/result-text.ts'
import { type Report, reportRun } from '../../../app/report.ts'
import { subjectOf } from '../../../app/subject.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Handler, Invocation } from '../command.ts'
import type { RefineWords } from '../refine-report.ts'
import { markdownOf } from '../report-markdown.ts'
import { headlineOf, placeLine, sectionsOf } from '../report-sections.ts'
import { showDiff } from '../show-result.ts'

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
