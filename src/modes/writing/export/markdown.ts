import { findFrontMatterEnd } from '../core/draft/headings.ts'
import { parseBlocks } from './blocks.ts'
import type { ExportedPart, ExportedWork } from './work.ts'

/** Returns the work as one Markdown file in UTF-8: title, author, then the parts as they are. */
export function exportMarkdown({ title, author, parts }: ExportedWork): Uint8Array {
  const head = [`# ${toLine(title)}`, ...(author === undefined ? [] : [`by ${toLine(author)}`])]
  const texts = parts.map(formatPart).filter((text) => text !== '')
  return new TextEncoder().encode(`${[...head, ...texts].join('\n\n')}\n`)
}

function formatPart({ label, text }: ExportedPart): string {
  const clean = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const body = clean.slice(findFrontMatterEnd(clean)).trim()
  const hasHeading = parseBlocks(body)[0]?.kind === 'heading'
  return hasHeading || label === undefined ? body : `# ${toLine(label)}\n\n${body}`.trimEnd()
}

const toLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
