/** A line of a draft that may be a heading. Offsets count characters of the draft. */
export type Heading = {
  readonly start: number
  /** After the heading and its underline. */
  readonly end: number
  /** Without marks and emphasis. */
  readonly text: string
  /** 1 to 6 in Markdown; 0 for a plain line. */
  readonly depth: number
  /** True if nothing stands in the lines directly before and after it. */
  readonly isApart: boolean
  /** The next line. */
  readonly below: string
}

export type HeadingRules = {
  /** Decides whether a plain line may be a heading, such as "CHAPTER ONE". */
  isPlainHeading(text: string): boolean
  /** Whether `~~~` begins code. In stories it separates scenes. */
  readonly hasTildeFences: boolean
}

type Line = { readonly start: number; readonly end: number; readonly text: string; readonly isBlank: boolean }

// No heading is longer. Longer lines are not looked at, so that no pattern meets a line of a megabyte.
const longestHeading = 200

/** Finds headings of Markdown and plain lines that may be headings. A line of marks only (`---`, `***`, `#`) is never one. */
export function findHeadings(draft: string, rules: HeadingRules): readonly Heading[] {
  const headings: Heading[] = []
  const skipCode = createFences(draft, rules.hasTildeFences)
  let before: Line = blankLine
  let line = readLine(draft, findFrontMatterEnd(draft))
  while (line) {
    const codeEnd = skipCode(line)
    if (codeEnd !== undefined) {
      before = { ...line, isBlank: false }
      line = readLine(draft, codeEnd)
      continue
    }
    const next = readLine(draft, line.end)
    const heading = readHeading(before, line, next ?? blankLine, rules)
    if (heading) headings.push(heading)
    before = line
    line = next
  }
  return headings
}

const blankLine: Line = { start: 0, end: 0, text: '', isBlank: true }

function readLine(draft: string, start: number): Line | undefined {
  if (start >= draft.length) return undefined
  lineForm.lastIndex = start
  const end = lineForm.exec(draft)!.index
  const isLong = end - start > longestHeading
  const text = isLong ? '' : draft.slice(start, end)
  const ending = draft.startsWith('\r\n', end) ? 2 : 1
  return { start, end: Math.min(end + ending, draft.length), text, isBlank: !isLong && text.trim() === '' }
}
const lineForm = /\r\n|\n|\r|$/g

function readHeading(before: Line, line: Line, next: Line, rules: HeadingRules): Heading | undefined {
  if (line.text === '') return undefined
  const [, marks = '', gap = '', rest = ''] = /^ {0,3}(#{1,6})([ \t]*)(.*)$/.exec(line.text) ?? []
  const text = dropEmphasis(marks === '' ? line.text : rest.replace(/[ \t]+#+[ \t]*$/, ''))
  if (!/[\p{L}\d]/u.test(text)) return undefined
  const found = { start: line.start, end: line.end, text, isApart: before.isBlank && next.isBlank, below: next.text }
  // "#Chapter 3" without a space is no heading in Markdown, but people write it.
  if (marks !== '') return gap !== '' || rules.isPlainHeading(text) ? { ...found, depth: marks.length } : undefined
  const underline = before.isBlank ? /^ {0,3}(={2,}|-{3,})[ \t]*$/.exec(next.text)?.[1] : undefined
  // Three dashes below a line are more often a break between scenes than an underline.
  if (underline !== undefined && (underline !== '---' || rules.isPlainHeading(text))) {
    return { ...found, end: next.end, depth: underline.startsWith('=') ? 1 : 2, isApart: true }
  }
  return before.isBlank && rules.isPlainHeading(text) ? { ...found, depth: 0 } : undefined
}

function dropEmphasis(text: string): string {
  const trimmed = text.trim()
  const [, , inner] = /^(\*{1,3}|_{1,3})(.+)\1$/.exec(trimmed) ?? []
  return (inner ?? trimmed).trim()
}

/** Returns a function that says where code ends which begins in a line. A fence that is never closed is none. */
function createFences(draft: string, hasTildes: boolean): (line: Line) => number | undefined {
  const marks = hasTildes ? ['```', '~~~'] : ['```']
  const unclosed = new Set<string>()
  return ({ text, end }) => {
    const line = text.trimStart()
    const mark = marks.find((one) => line.startsWith(one))
    // "```x```" is code within a line.
    const isInline = mark === '```' && line.replace(/^`+/, '').includes('`')
    if (mark === undefined || isInline || unclosed.has(mark)) return undefined
    const close = new RegExp(`^ {0,3}${mark}+[ \\t]*\\r?$`, 'gm')
    close.lastIndex = end
    const found = close.exec(draft)
    if (!found) unclosed.add(mark)
    return found ? readLine(draft, found.index)?.end : undefined
  }
}

/** Returns where the text begins after YAML front matter; 0 if there is none. */
export function findFrontMatterEnd(text: string): number {
  const form = /---[ \t]*\r?\n([\s\S]{0,20000}?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/my
  const [whole = '', inner = ''] = form.exec(text) ?? []
  const lines = inner.split('\n').map((line) => line.trimEnd())
  const isYaml =
    lines.some((line) => /^[\w-]+:/.test(line)) &&
    lines.every((line) => /^(?:[\w-]+:(?: .*)?|\s+.*|- .*|#.*|)$/.test(line))
  return isYaml ? whole.length : 0
}
