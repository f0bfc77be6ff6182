import { writeSync } from 'node:fs'
import stringWidth from 'string-width'
import type { BufferedWriter } from './buffered-writer.ts'
import { oneLine } from './plain-text.ts'
import { applyLook as addCodes, type Look, paintText, type StyledLine, type Text } from './styled.ts'

export type Screen = {
  /** Prints a finished line above the live lines. */
  line(text: Text, look?: Look): void
  /** Replaces the live lines; an empty list removes them. Skipped while the reader is behind. */
  show(lines: readonly StyledLine[]): void
  /** Rings the bell; with words, also sends a desktop notification if the terminal supports it. */
  ring(words?: string): void
  /** Calls back when the terminal was resized or the process came back to the foreground. */
  onChange(call: () => void): () => void
}

type Terminal = Pick<NodeJS.WriteStream, 'columns' | 'rows' | 'on' | 'off'>

const eraseBelow = '\r\u001b[J'
// Without wrapping, a character wider than measured is cut at the edge instead of breaking into the next line.
const [wrapOff, wrapOn] = ['\u001b[?7l', '\u001b[?7h']

/**
 * Keeps up to three live lines below the finished ones. The cursor stays visible at the start of the first live line.
 * Erasing from there removes all of them even after the terminal rewrapped them, and a killed process leaves nothing to
 * restore.
 */
export function createScreen(sink: BufferedWriter, terminal: Terminal, colour: boolean): Screen {
  let drawn: readonly StyledLine[] = []
  /** The terminal may no longer show what was drawn. */
  let stale = false

  const size = () => ({ columns: terminal.columns || 80, rows: terminal.rows || 24 })
  const applyLook = (text: string, look: Look | undefined): string => (colour ? addCodes(text, look) : text)

  function fitted(lines: readonly StyledLine[]): StyledLine[] {
    const { columns, rows } = size()
    // One column stays free, because some terminals wrap as soon as the last one is used.
    return lines
      .slice(0, rows > 4 ? 3 : 1)
      .map(({ text, ...rest }) => ({ ...rest, text: cutToWidth(text, columns - 1) }))
  }

  const drawAll = (lines: readonly StyledLine[]): string => {
    const up = lines.length > 1 ? `\u001b[${lines.length - 1}A` : ''
    const text = lines.map((line) => applyLook(line.text, line.look)).join('\r\n')
    return lines.length === 0 ? '' : `${wrapOff}${text}${wrapOn}${up}\r`
  }

  function drawChanges(lines: readonly StyledLine[]): string {
    const moves = lines.map(({ text, look }, row) => {
      const change = findChange(drawn[row]?.text ?? '', text)
      if (!change) return ''
      const [down, up] = row > 0 ? [`\u001b[${row}B`, `\u001b[${row}A`] : ['', '']
      return `${down}\u001b[${change.column + 1}G${applyLook(change.text, look)}${change.clear ? '\u001b[K' : ''}${up}\r`
    })
    const text = moves.join('')
    return text && `${wrapOff}${text}${wrapOn}`
  }

  function show(lines: readonly StyledLine[]): void {
    const next = fitted(lines)
    if (next.length > 0 && sink.unread() > 0) return
    const same = !stale && next.length === drawn.length && next.every(({ look }, row) => look === drawn[row]?.look)
    const text = same ? drawChanges(next) : `${drawn.length > 0 || stale ? eraseBelow : ''}${drawAll(next)}`
    if (drawn.length === 0 && next.length > 0) process.on('exit', erase)
    if (next.length === 0) process.off('exit', erase)
    drawn = next
    stale = false
    if (text) sink.raw(text)
  }

  /** Runs when the process exits. Writes synchronously, because buffered output is lost then. */
  function erase(): void {
    try {
      writeSync(1, eraseBelow)
    } catch {
      // The terminal is closed.
    }
  }

  return {
    line: (text, look) => {
      const line = `${paintText(text, look, colour)}\n`
      sink.raw(drawn.length === 0 ? line : `${eraseBelow}${line}${drawAll(drawn)}`)
    },
    show,
    ring: (words) => sink.raw(words === undefined ? '\u0007' : `\u001b]9;${oneLine(words)}\u001b\\\u0007`),
    onChange: (call) => {
      const changed = (): void => {
        stale = drawn.length > 0
        call()
      }
      terminal.on('resize', changed)
      process.on('SIGCONT', changed)
      return () => {
        terminal.off('resize', changed)
        process.off('SIGCONT', changed)
      }
    },
  }
}

type Change = {
  readonly column: number
  readonly text: string
  /** Erase the rest of the line. */
  readonly clear: boolean
}

const isAscii = (text: string): boolean => /^[ -~]*$/.test(text)

/**
 * Finds the smallest change that turns one line into another. Only ASCII has a reliable width, so the line is rewritten
 * from the first other character on.
 */
export function findChange(before: string, after: string): Change | undefined {
  if (before === after) return undefined
  let start = 0
  while (start < after.length && before[start] === after[start] && isAscii(after[start]!)) start++
  // A combining mark cannot be written without the character before it.
  if (start > 0 && !isAscii(`${before[start] ?? ''}${after[start] ?? ''}`)) start--
  const clear = { column: start, text: after.slice(start), clear: true }
  if (before.length !== after.length) return clear
  let end = after.length
  while (end > start && before[end - 1] === after[end - 1]) end--
  const piece = after.slice(start, end)
  const inPlace = isAscii(before.slice(start, end)) && isAscii(piece) && isAscii(after[end] ?? '')
  return inPlace ? { column: start, text: piece, clear: false } : clear
}

const maxCombining = 3

/**
 * Returns the columns of one code point. Terminals disagree about emoji of several parts. Each part is counted on its
 * own, the maximum that any terminal uses, so a line that fits here fits everywhere.
 */
function measureWidth(letter: string): number {
  // The emoji variation selector makes the character before it one column wider.
  if (letter === '\ufe0f') return 1
  // Hangul vowels and finals are drawn into the first letter of the syllable.
  return /[\u1160-\u11ff]/.test(letter) ? 0 : stringWidth(letter)
}

/** Cuts a line to a width and marks the cut with `…`. Limits the combining marks on one character. */
export function cutToWidth(text: string, columns: number): string {
  let cut = ''
  let shorter = ''
  let width = 0
  let combining = 0
  for (const letter of text) {
    const letterWidth = measureWidth(letter)
    combining = letterWidth === 0 ? combining + 1 : 0
    if (combining > maxCombining) continue
    width += letterWidth
    if (width > columns) return columns > 0 ? `${shorter}…` : ''
    cut += letter
    if (width < columns) shorter = cut
  }
  return cut
}
