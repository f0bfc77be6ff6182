import { removeControls } from '../../contract/human-text.ts'

/** A line that is being edited, and the position of the cursor in it. */
export type Line = { readonly line: string; readonly cursor: number }

/** Text of the history is clean already. */
type Origin = 'paste' | 'history'

export type Folds = {
  /** Returns one line that stands for the text: with signs for line breaks and tabs or, for a long text, a tag in brackets. */
  fold(text: string, from: Origin): string
  /** Returns the text that a line stands for. */
  unfold(line: string): string
  /** Returns the line as it should be after a key: a tag is deleted as a whole, and the cursor is never inside one. */
  mend(before: Line, after: Line): Line
}

const showSigns = (text: string): string => text.replaceAll('\n', '⏎').replaceAll('\t', '⇥')
const readSigns = (line: string): string => line.replaceAll('⏎', '\n').replaceAll('⇥', '\t')
/** Whether a text contains one of the signs itself. It must not be read as what the sign stands for. */
export const hasSign = (text: string): boolean => /[⏎⇥]/.test(text)
const maxShownLines = 3
const maxShownLength = 400
const maxPreview = 30

export function createFolds(): Folds {
  const texts = new Map<string, string>()
  const tags = new Map<string, string>()

  function tag(text: string, from: Origin): string {
    const key = `${from}:${text}`
    const known = tags.get(key)
    if (known !== undefined) return known
    const name = from === 'paste' ? `pasted ${measure(text)}` : `${measure(text)}: ${preview(text)}`
    let unique = `[${name}]`
    for (let n = 2; texts.has(unique); n++) unique = `[${name} #${n}]`
    texts.set(unique, text)
    tags.set(key, unique)
    return unique
  }

  function listTags(line: string): { readonly from: number; readonly to: number }[] {
    const found = [...line.matchAll(bracketed)].filter(([part]) => texts.has(part))
    return found.map(({ 0: part, index }) => ({ from: index, to: index + part.length }))
  }

  function mendDeletion(before: Line, after: Line): Line {
    const removed = before.line.length - after.line.length
    const from = after.cursor
    const without = (start: number, end: number): string => before.line.slice(0, start) + before.line.slice(end)
    if (removed <= 0 || without(from, from + removed) !== after.line) return after
    const hit = listTags(before.line).filter((tag) => tag.from < from + removed && tag.to > from)
    const start = Math.min(from, ...hit.map((tag) => tag.from))
    return { line: without(start, Math.max(from + removed, ...hit.map((tag) => tag.to))), cursor: start }
  }

  return {
    fold: (written, from) => {
      const text = from === 'paste' ? cleanText(written) : written
      const isShort = text.length <= maxShownLength && countLines(text) <= maxShownLines
      return isShort && !hasSign(text) && listTags(text).length === 0 ? showSigns(text) : tag(text, from)
    },
    unfold: (line) => line.replace(foldable, (part) => texts.get(part) ?? readSigns(part)),
    mend: (before, after) => {
      const { line, cursor } = mendDeletion(before, after)
      const around = listTags(line).find(({ from, to }) => from < cursor && cursor < to)
      return { line, cursor: around ? (cursor < before.cursor ? around.from : around.to) : cursor }
    },
  }
}

const bracketed = /\[[^[\]]*\]/g
const foldable = /\[[^[\]]*\]|[⏎⇥]/g

/** Removes control characters. All line breaks become newlines, also those that only readline takes for one. */
export const cleanText = (written: string): string => removeControls(written.replace(/\r\n?|[\u2028\u2029]/g, '\n'))

const countLines = (text: string): number => text.replace(/\n+$/, '').split('\n').length

function measure(text: string): string {
  const lines = countLines(text)
  return lines > 1 ? `${lines} lines` : `${text.length} ${text.length === 1 ? 'character' : 'characters'}`
}

function preview(text: string): string {
  const start = text
    .slice(0, maxShownLength)
    .replace(/[[\]\s⏎⇥]+/g, ' ')
    .trim()
  const letters = [...start]
  return letters.length <= maxPreview ? start : `${letters.slice(0, maxPreview).join('')}…`
}
