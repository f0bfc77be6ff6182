import type { Line, Span } from '../../../src/contract/show.ts'
import { getLog } from '../api.ts'
import { formatDuration, formatUtc } from '../format.ts'
import { formatCommand } from '../shown/command.ts'

const chunk = 1000

/** Saves the whole log as a text file. */
export async function downloadLog(run: { id: string; name: string }, first: number, total: number): Promise<void> {
  const parts: string[] = []
  let next = first
  while (next < first + total) {
    const { lines } = await getLog(run.id, { from: next, count: chunk })
    if (lines.length === 0) break
    for (const { at, line } of lines) parts.push(`${formatUtc(at)}  ${toText(line, at, run.name)}\n`)
    next = (lines.at(-1)?.n ?? next) + 1
  }
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${run.name}-${run.id}.log`
  link.click()
  URL.revokeObjectURL(url)
}

const toText = (line: Line, at: number, run: string): string => line.map((span) => spanText(span, at, run)).join('')

function spanText(span: Span, at: number, run: string): string {
  if (typeof span === 'string') return span
  if ('text' in span) return span.text
  switch (span.is) {
    case 'at':
    case 'clock':
      return formatUtc(span.at)
    case 'zone':
      return 'UTC'
    case 'since':
      return formatDuration(at - span.at)
    case 'until':
      return formatDuration(span.at - at)
    case 'duration':
      return formatDuration(span.ms)
    case 'path':
      return span.path
    case 'action':
      return formatCommand(span.action, run)
  }
}
