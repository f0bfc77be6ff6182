import type { Line, Section } from '../../contract/show.ts'
import { plainText } from './plain-text.ts'
import { type Rendering, renderLine } from './render.ts'
import { renderSections } from './render-blocks.ts'

/** A report as values: what stands above it, where it lies, and its sections. */
export type ShownReport = { readonly headline: Line; readonly place: Line; readonly sections: readonly Section[] }

/**
 * For the summary of a CI job. Whatever came from agents, gates or files stands inside a fence or a code span that is
 * longer than anything in it, so that it makes no link, no mention, no HTML and no end of the fence.
 */
export function renderMarkdown({ headline, place, sections }: ShownReport, rendering: Rendering): string[] {
  const fenced = renderSections(sections, rendering).flatMap(({ title, lines }) => [
    `### ${title}`,
    '',
    ...fence(lines),
    '',
  ])
  const [head, where] = [renderLine(headline, rendering), renderLine(place, rendering)]
  return [`## ${inline(head)}`, '', inline(where), '', ...fenced].map(withoutCommands)
}

function fence(lines: readonly string[]): string[] {
  const plain = lines.map(plainText)
  const mark = '`'.repeat(Math.max(3, longestRun(plain.join('\n')) + 1))
  return [`${mark}text`, ...plain, mark]
}

/** Plain words stay as they are; anything that markdown could read becomes a code span. */
function inline(text: string): string {
  const plain = plainText(text)
  if (/^[A-Za-z0-9 ,:.'-]*$/.test(plain) && !/:\/\/|www\./i.test(plain)) return plain
  const mark = '`'.repeat(longestRun(plain) + 1)
  return `${mark} ${plain} ${mark}`
}

const longestRun = (text: string): number => Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))

/** Printed to a job's log instead of its summary, a line must not become a command to the runner. */
const withoutCommands = (line: string): string => line.replace(/##\[/g, '## [').replace(/^(\s*)::/, '$1: :')
