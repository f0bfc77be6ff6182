/** Removes HTML comments outside of code. */
export function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text
  const findEnd = codeEnds(text)
  const marks = /`+|<!--/g
  let kept = ''
  let at = 0
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] !== '<!--') {
      marks.lastIndex = findEnd(mark.index) ?? marks.lastIndex
      continue
    }
    kept += text.slice(at, mark.index)
    const end = text.indexOf('-->', marks.lastIndex)
    if (end === -1) return kept
    at = end + 3
    marks.lastIndex = at
  }
  return kept + text.slice(at)
}

/** Removes `**` and `__` where they mean emphasis. In code, names, globs and powers they stay. */
export function withoutEmphasis(text: string): string {
  if (!text.includes('**') && !text.includes('__')) return text
  const open: Record<string, Run[]> = { '*': [], _: [] }
  const removed: number[] = []
  for (const run of findRuns(text)) {
    const openers = open[run.mark]!
    const opener = openers.at(-1)
    if (opener && canClose(run) && !isGlob(opener, run)) {
      const inside = readShort(text, opener.end, run.start)
      if (isInWord(run) && (inside === undefined || /\s/.test(inside))) continue
      openers.pop()
      if (!isName(opener, inside, run)) removed.push(opener.end - 2, run.start)
    } else if (canOpen(run)) openers.push(run)
  }
  return removed.length === 0 ? text : cutPairs(text, removed)
}

/** A run of two or three `*` or `_` with the characters around it. */
type Run = {
  readonly mark: string
  readonly start: number
  readonly end: number
  readonly before: string
  readonly after: string
}

function* findRuns(text: string): Generator<Run> {
  const findEnd = codeEnds(text)
  const marks = /\\[\\`*_]|`+|\*+|_+/g
  for (let found = marks.exec(text); found; found = marks.exec(text)) {
    const mark = found[0][0]!
    const [start, end] = [found.index, marks.lastIndex]
    if (mark === '`') marks.lastIndex = findEnd(start) ?? end
    else if (mark !== '\\' && (end - start === 2 || end - start === 3))
      yield { mark, start, end, before: text[start - 1] ?? ' ', after: text.slice(end, end + 2) || ' ' }
  }
}

/** Returns where the code ends that begins with the backticks at a position. Undefined if nothing closes it. */
function codeEnds(text: string): (start: number) => number | undefined {
  if (!text.includes('`')) return () => undefined
  const ends = new Map<number, number>()
  const later = new Map<number, number>()
  for (const run of [...text.matchAll(/`+/g)].reverse()) {
    const { length } = run[0]
    const closing = later.get(length)
    if (closing !== undefined) ends.set(run.index, closing + length)
    later.set(length, run.index)
  }
  return (start) => ends.get(start)
}

const isSpace = (character: string): boolean => /^\s/.test(character)
const isPunctuation = (character: string): boolean => /^[!-/:-@[-`{-~]/.test(character)
const isWord = (character: string): boolean => /^\w/.test(character)
const isInWord = ({ before, after }: Run): boolean => isWord(before) && isWord(after)

// As in CommonMark, except that `2**10`, `(a + b)**2`, `src/**` and `**/*.ts` open nothing.
function canOpen({ mark, before, after }: Run): boolean {
  if (isSpace(after) || (isPunctuation(after) && !isSpace(before) && !isPunctuation(before))) return false
  if (mark === '_') return !isWord(before)
  return !/[/)\]}]/.test(before) && !(isWord(before) && isWord(after)) && after !== '/*'
}

function canClose({ mark, before, after }: Run): boolean {
  if (isSpace(before) || (isPunctuation(before) && !isSpace(after) && !isPunctuation(after))) return false
  return mark === '_' ? !isWord(after) : !(before === '/' && after.startsWith('/'))
}

const isGlob = (opener: Run, closer: Run): boolean => opener.after.startsWith('/') && closer.before === '/'

/** Whether the underscores belong to a name: `__version__`, `__FILE__`, `pkg.__Meta__`, but not `__Note__`. */
function isName(opener: Run, inside: string | undefined, closer: Run): boolean {
  if (opener.mark === '*' || inside === undefined || !/^\w+$/.test(inside)) return false
  return (
    /^(?:[a-z\d_]\w*|[A-Z\d_]+)$/.test(inside) || /[./]/.test(opener.before) || /^(?:\.\w|[([/])/.test(closer.after)
  )
}

const longestName = 100

/** Undefined if it is long, which keeps the time linear. */
const readShort = (text: string, from: number, to: number): string | undefined =>
  to - from > longestName ? undefined : text.slice(from, to)

/** Cuts two characters at each position. */
function cutPairs(text: string, positions: readonly number[]): string {
  let kept = ''
  let at = 0
  for (const position of [...positions].sort((a, b) => a - b)) {
    kept += text.slice(at, position)
    at = position + 2
  }
  return kept + text.slice(at)
}
