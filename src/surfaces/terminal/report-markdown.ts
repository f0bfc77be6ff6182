import type { RefineWords } from '../../modes/refinement/show/sections.ts'
import type { Report } from '../../run/report.ts'
import { plainText } from './plain-text.ts'
import { headlineOf, placeLine, sectionsOf } from './report-sections.ts'

/**
 * For the summary of a CI job. Whatever came from agents, gates or files stands inside a fence or a code span that is
 * longer than anything in it, so that it makes no link, no mention, no HTML and no end of the fence.
 */
export function markdownOf(report: Report, cwd: string, words?: RefineWords): string[] {
  const sections = sectionsOf(report, cwd, words).flatMap(({ title, lines }) => [
    `### ${title}`,
    '',
    ...fence(lines),
    '',
  ])
  return [`## ${inline(headlineOf(report, words))}`, '', inline(placeLine(report, cwd)), '', ...sections].map(
    withoutCommands,
  )
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
