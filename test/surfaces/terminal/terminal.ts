// Written out, since a control character in an expression looks like a mistake.
const esc = '\\u001b'
const pieces = new RegExp(`${esc}\\[(\\??)(\\d*)([A-Za-z])|${esc}\\]9;[^${esc}]*${esc}\\\\|[\\s\\S]`, 'gu')

/** A small terminal: what stands on it after all these bytes. Throws on whatever the program has no business to send. */
export function createTerminal(width: number, rows: number) {
  const lines: string[][] = [[]]
  let columns = width
  let [row, column, top] = [0, 0, 0]
  let wraps = true

  function put(letter: string): void {
    const wide = /\p{Emoji_Presentation}|[\u3041-\uffe6]/u.test(letter) ? 2 : 1
    if (column + wide > columns) {
      if (wraps) newLine()
      column = wraps ? 0 : columns - wide
    }
    const line = lines[row]!
    while (line.length < column) line.push(' ')
    line.splice(column, wide, letter, ...(wide === 2 ? [''] : []))
    column += wide
  }

  function newLine(): void {
    row++
    if (row === lines.length) lines.push([])
    top = Math.max(top, row - rows + 1)
  }

  function obey(command: string, number: number): void {
    if (command === 'A') row = Math.max(top, row - number)
    else if (command === 'B') row = Math.min(lines.length - 1, row + number)
    else if (command === 'C') column = Math.min(columns - 1, column + number)
    else if (command === 'D') column = Math.max(0, column - number)
    else if (command === 'G') column = number - 1
    else if (command === 'J' || command === 'K') lines[row]!.length = Math.min(lines[row]!.length, column)
    else if (command !== 'm') throw new Error(`unexpected command ${command}`)
    if (command === 'J') lines.length = row + 1
  }

  function write(text: string): void {
    for (const [part, question, number, command] of text.matchAll(pieces)) {
      if (part === '\r') column = 0
      else if (part === '\n') newLine()
      else if (part === '\u0007' || part.startsWith('\u001b]9;')) continue
      else if (question && number === '7') wraps = command === 'h'
      // Pastes are marked, or no longer.
      else if (question && number === '2004') continue
      else if (command && !question) obey(command, Number(number || 1))
      else if (part < ' ' || part === '\u007f') throw new Error(`unexpected ${JSON.stringify(part)}`)
      else put(part)
    }
  }

  return {
    write,
    /** Breaks the lines anew, as most terminals do; the cursor stays with its letter. Lines that were broken are not joined. */
    resize: (wide: number) => {
      columns = wide
      const broken = (line: readonly string[]): string[][] =>
        Array.from({ length: Math.max(1, Math.ceil(line.length / wide)) }, (_, n) =>
          line.slice(n * wide, (n + 1) * wide),
        )
      const above = lines.slice(0, row).flatMap(broken)
      lines.splice(0, lines.length, ...above, ...lines.slice(row).flatMap(broken))
      row = above.length + Math.floor(column / wide)
      column %= wide
      top = Math.max(0, lines.length - rows)
    },
    /** Scrollback and screen, without the blank at the ends of lines. */
    text: (): string[] => lines.map((line) => line.join('').trimEnd()),
    /** The same with the blank. */
    rows: (): string[] => lines.map((line) => line.join('')),
    cursor: () => ({ row, column }),
  }
}
