import { writeSync } from 'node:fs'
import stringWidth from 'string-width'
import type { BufferedWriter } from './buffered-writer.ts'
import { oneLine } from './plain-text.ts'

export type Look = 'bold' | 'dim' | 'red' | 'green' | 'cyan'
/** One line and how it looks where colours are shown. */
export type StyledLine = { readonly text: string; readonly look?: Look }

export type Screen = {
  /** A finished line: it stays, above the live ones. */
  line(text: string, look?: Look): void
  /** Puts these in the place of the live lines; none of them takes them away. Left undone while nobody reads. */
  show(lines: readonly StyledLine[]): void
  /** Rings; with words, also as a notification of the desktop where the terminal knows that. */
  ring(words?: string): void
  /** Calls when the terminal has another size, or was somebody else's for a while. */
  onChange(call: () => void): () => void
}

type Terminal = Pick<NodeJS.WriteStream, 'columns' | 'rows' | 'on' | 'off'>

const eraseBelow = '\r\u001b[J'
const looks = {
  bold: '\u001b[1m',
  dim: '\u001b[2m',
  red: '\u001b[31m',
  green: '\u001b[32m',
  cyan: '\u001b[36m',
} as const satisfies Record<Look, string>
const plain = '\u001b[0m'
// A letter that is wider than we think then ends at the edge instead of breaking into the next line.
const [wrapOff, wrapOn] = ['\u001b[?7l', '\u001b[?7h']

/**
 * At most three live lines below what is finished. The cursor rests at the start of the first of them and is never
 * hidden: erasing from there takes all of them, however the terminal has broken them anew, and nothing is left to put
 * right when the process is killed.
 */
export function createScreen(
  sink: BufferedWriter,
  terminal: Terminal,
  env: Readonly<Record<string, string | undefined>>,
): Screen {
  const styled = env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : !env.NO_COLOR
  let drawn: readonly StyledLine[] = []
  /** What is there is not what was drawn, or not where. */
  let stale = false

  const size = () => ({ columns: terminal.columns || 80, rows: terminal.rows || 24 })
  const dressed = (text: string, look: Look | undefined): string =>
    styled && look ? `${looks[look]}${text}${plain}` : text

  function fitted(lines: readonly StyledLine[]): StyledLine[] {
    const { columns, rows } = size()
    // One column stays free, since a terminal may break the line as soon as the last one is used.
    return lines
      .slice(0, rows > 4 ? 3 : 1)
      .map(({ text, ...rest }) => ({ ...rest, text: cutToWidth(text, columns - 1) }))
  }

  const whole = (lines: readonly StyledLine[]): string => {
    const up = lines.length > 1 ? `\u001b[${lines.length - 1}A` : ''
    const text = lines.map((line) => dressed(line.text, line.look)).join('\r\n')
    return lines.length === 0 ? '' : `${wrapOff}${text}${wrapOn}${up}\r`
  }

  function changes(lines: readonly StyledLine[]): string {
    const moves = lines.map(({ text, look }, row) => {
      const change = findChange(drawn[row]?.text ?? '', text)
      if (!change) return ''
      const [down, up] = row > 0 ? [`\u001b[${row}B`, `\u001b[${row}A`] : ['', '']
      return `${down}\u001b[${change.column + 1}G${dressed(change.text, look)}${change.clear ? '\u001b[K' : ''}${up}\r`
    })
    const text = moves.join('')
    return text && `${wrapOff}${text}${wrapOn}`
  }

  function show(lines: readonly StyledLine[]): void {
    const next = fitted(lines)
    if (next.length > 0 && sink.unread() > 0) return
    const same = !stale && next.length === drawn.length && next.every(({ look }, row) => look === drawn[row]?.look)
    const text = same ? changes(next) : `${drawn.length > 0 || stale ? eraseBelow : ''}${whole(next)}`
    if (drawn.length === 0 && next.length > 0) process.on('exit', erase)
    if (next.length === 0) process.off('exit', erase)
    drawn = next
    stale = false
    if (text) sink.raw(text)
  }

  /** However the process leaves: what is still on its way to the terminal is lost then, so this does not wait. */
  function erase(): void {
    try {
      writeSync(1, eraseBelow)
    } catch {
      // The terminal is gone as well.
    }
  }

  return {
    line: (text, look) => {
      const line = `${dressed(text, look)}\n`
      sink.raw(drawn.length === 0 ? line : `${eraseBelow}${line}${whole(drawn)}`)
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
  /** What stood behind it is no longer there. */
  readonly clear: boolean
}

const isAscii = (text: string): boolean => /^[ -~]*$/.test(text)

/**
 * The smallest piece that makes one line into another. Columns are counted in ASCII alone: what any other letter
 * takes is not certain, so from the first of them on the line is written again.
 */
export function findChange(before: string, after: string): Change | undefined {
  if (before === after) return undefined
  let start = 0
  while (start < after.length && before[start] === after[start] && isAscii(after[start]!)) start++
  // A mark that belongs on top of the letter before it cannot be written without that letter.
  if (start > 0 && !isAscii(`${before[start] ?? ''}${after[start] ?? ''}`)) start--
  const clear = { column: start, text: after.slice(start), clear: true }
  if (before.length !== after.length) return clear
  let end = after.length
  while (end > start && before[end - 1] === after[end - 1]) end--
  const piece = after.slice(start, end)
  const inPlace = isAscii(before.slice(start, end)) && isAscii(piece) && isAscii(after[end] ?? '')
  return inPlace ? { column: start, text: piece, clear: false } : clear
}

const mostOnTop = 3

/**
 * Columns of one code point. Terminals differ on how wide an emoji of several parts is. Each part is counted on its own,
 * which is the most that any terminal uses, so a line that fits here fits everywhere.
 */
function measureWidth(letter: string): number {
  // This mark asks for the picture of the letter before it, which is then twice as wide.
  if (letter === '\ufe0f') return 1
  // Vowels and finals of a Hangul syllable are drawn into its first letter.
  return /[\u1160-\u11ff]/.test(letter) ? 0 : stringWidth(letter)
}

/** As much of one line as fits, with a mark where it was cut. Marks piled on one letter are kept to a few. */
export function cutToWidth(text: string, columns: number): string {
  let kept = ''
  let short = ''
  let width = 0
  let piled = 0
  for (const letter of text) {
    const wide = measureWidth(letter)
    piled = wide === 0 ? piled + 1 : 0
    if (piled > mostOnTop) continue
    width += wide
    if (width > columns) return columns > 0 ? `${short}…` : ''
    kept += letter
    if (width < columns) short = kept
  }
  return kept
}
