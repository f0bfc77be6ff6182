import { PawlError } from '../../../contract/exit.ts'
import type { Action } from '../../../contract/show.ts'
import { findRun } from '../../../run/reports/find-run.ts'
import { readText } from '../../../run/reports/output.ts'
import { type Reported, reportRun } from '../../../run/reports/report.ts'
import type { Handler, Invocation } from '../../terminal/command.ts'
import { createRendering, type Rendering, renderAction, renderText } from '../../terminal/render.ts'
import { printOutput, renderSections } from '../../terminal/render-blocks.ts'
import { renderMarkdown, type ShownReport } from '../../terminal/report-markdown.ts'
import { joinTexts, type Text } from '../../terminal/styled.ts'

export const handle: Handler = async (invocation) => {
  const { program, args, options, io } = invocation
  if (options.text === true) return showText(invocation)
  if (options.diff === true) return showDiff(invocation)
  const render = findFormat(options.format)
  const stored = await findRun(program.machine, args[0])
  const report = await reportRun(program, stored)
  const rendering = createRendering(program, stored.entry.id, io)
  io.result(reportJson(report, rendering), () => render(report, rendering))
  return 0
}

async function showText({ program, args, io }: Invocation): Promise<0> {
  const stored = await findRun(program.machine, args[0])
  const { id, name } = stored.entry
  const { text, kind } = await readText(program, stored)
  if (text === undefined) {
    const show = renderAction({ do: 'show' }, createRendering(program, id))
    throw new PawlError(2, `${name} has no text yet`, `To see its report: ${show}`)
  }
  if (io.json) io.data({ run: id, kind, text })
  else io.content(text)
  return 0
}

async function showDiff({ program, args, io }: Invocation): Promise<0> {
  const stored = await findRun(program.machine, args[0])
  const { id, name } = stored.entry
  const { diff } = await readText(program, stored)
  if (!diff) {
    const text = renderAction({ do: 'text' }, createRendering(program, id))
    throw new PawlError(2, `${name} has nothing to compare its text with`, `To see its text: ${text}`)
  }
  printOutput(io, diff)
  return 0
}

type Render = (report: ShownReport, rendering: Rendering) => Text[]

function findFormat(name: unknown): Render {
  if (name === undefined || name === 'text') return renderReport
  if (name === 'github') return renderMarkdown
  throw new PawlError(2, `unknown format ${name as string}`, 'Known formats: text, github')
}

const indent = '  '

const renderReport: Render = ({ headline, place, sections }, rendering) => [
  renderText(headline, rendering),
  renderText(place, rendering),
  ...renderSections(sections, { ...rendering, width: rendering.width && rendering.width - indent.length }).flatMap(
    ({ title, lines }) => ['', title, ...lines.map((line) => joinTexts([indent, line]))],
  ),
]

/** Returns the report for programs. `next` becomes the command line to run. */
export function reportJson({ json }: Pick<Reported, 'json'>, rendering: Rendering): Readonly<Record<string, unknown>> {
  const next = json.next as Action | null
  return { ...json, next: next && renderAction(next, rendering) }
}
