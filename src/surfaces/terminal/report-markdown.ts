import type { Line, Section } from '../../contract/show.ts'
import { plainText } from './plain-text.ts'
import { type Rendering, renderLine } from './render.ts'
import { renderSections } from './render-blocks.ts'
import { plainOf } from './styled.ts'

/** A report before rendering: headline, location and sections. */
export type ShownReport = { readonly headline: Line; readonly place: Line; readonly sections: readonly Section[] }

/**
 * Renders markdown for the summary of a CI job. Text of agents, gates and files is inside a fence or code span with more
 * backticks than the text contains, so it cannot make a link, a mention or HTML, or close the fence.
 */
export function renderMarkdown({ headline, place, sections }: ShownReport, rendering: Rendering): string[] {
  const fenced = renderSections(sections, { ...rendering, width: undefined, colour: false }).flatMap(
    ({ title, lines }) => [`### ${title}`, '', ...fence(lines.map(plainOf)), ''],
  )
  const [head, where] = [renderLine(headline, rendering), renderLine(place, rendering)]
  return [`## ${inline(head)}`, '', inline(where), '', ...fenced].map(withoutCommands)
}

function fence(lines: readonly string[]): string[] {
  const plain = lines.map(plainText)
  const mark = '`'.repeat(Math.max(3, longestRun(plain.join('\n')) + 1))
  return [`${mark}text`, ...plain, mark]
}

/** Leaves plain words unchanged; turns text that markdown could interpret into a code span. */
function inline(text: string): string {
  const plain = plainText(text)
  if (/^[A-Za-z0-9 ,:.'-]*$/.test(plain) && !/:\/\/|www\./i.test(plain)) return plain
  const mark = '`'.repeat(longestRun(plain) + 1)
  return `${mark} ${plain} ${mark}`
}

const longestRun = (text: string): number => Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))

/** Escapes workflow commands, which a CI runner would execute if it found them in a job's log. */
const withoutCommands = (line: string): string => line.replace(/##\[/g, '## [').replace(/^(\s*)::/, '$1: :')
