import type { Io } from '../../../surfaces/terminal/io.ts'
import { wrapText } from '../../../surfaces/terminal/table.ts'

/** Prints a session's text: unlike the lines of a run without times, and wrapped at words. */
export type Page = {
  line(text?: string): void
  lines(texts: readonly string[]): void
  error(text: string, hint?: string): void
}

const maxWidth = 100

export const createPage = ({ out, width }: Pick<Io, 'out' | 'width'>): Page => {
  const line = (text = ''): void => {
    for (const part of wrapLine(text, Math.min(width() ?? Infinity, maxWidth))) out(part)
  }
  return {
    line,
    lines: (texts) => texts.forEach(line),
    error: (text, hint) => {
      line(`[Error: ${text}]`)
      if (hint) line(hint)
    },
  }
}

/** Wraps a line. The next lines are indented like the text after a bullet or a label. */
function wrapLine(text: string, width: number): string[] {
  if (!Number.isFinite(width) || text.length <= width) return [text]
  const [start] = /^ *(?:[•✓✗!-] |Before: |After: {2}|"|\d+\. )?/u.exec(text)!
  const hang = ' '.repeat(start.length)
  return wrapText(text.slice(start.length), Math.max(20, width - start.length)).map((part, at) =>
    at === 0 ? `${start}${part as string}` : `${hang}${part as string}`,
  )
}
