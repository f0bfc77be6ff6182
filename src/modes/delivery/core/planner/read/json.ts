import { PlanRefused } from './item.ts'

/** A JSON value with its line number. Objects are maps, so that keys such as `__proto__` are harmless. */
export type Json = {
  readonly line: number
  readonly value: null | boolean | number | string | Json[] | Map<string, Json>
}

const maxDepth = 100

/** Parses JSON and records the line of each value. */
export function parseJson(text: string): Json {
  const parser = new Parser(text)
  const found = parser.value(0)
  parser.end()
  return found
}

class Parser {
  private readonly text: string
  private at = 0
  private line = 1
  private counted = 0
  constructor(text: string) {
    this.text = text
  }

  value(depth: number): Json {
    if (depth > maxDepth) this.fail(`nested deeper than ${maxDepth}`)
    this.space()
    const line = this.lineHere()
    const mark = this.text[this.at]
    if (mark === '{') return { line, value: this.object(depth) }
    if (mark === '[') return { line, value: this.array(depth) }
    return { line, value: this.scalar() }
  }

  end(): void {
    this.space()
    if (this.at < this.text.length) this.fail('unexpected text after the end')
  }

  private object(depth: number): Map<string, Json> {
    const found = new Map<string, Json>()
    this.at++
    if (this.closes('}')) return found
    do {
      this.space()
      if (this.text[this.at] !== '"') this.fail('expected a quoted name')
      const key = this.string()
      this.space()
      if (this.text[this.at++] !== ':') this.fail('expected ":"', 1)
      found.set(key, this.value(depth + 1))
    } while (this.hasNext('}'))
    return found
  }

  private array(depth: number): Json[] {
    const found: Json[] = []
    this.at++
    if (this.closes(']')) return found
    do found.push(this.value(depth + 1))
    while (this.hasNext(']'))
    return found
  }

  private closes(mark: string): boolean {
    this.space()
    if (this.text[this.at] !== mark) return false
    this.at++
    return true
  }

  private hasNext(close: string): boolean {
    if (this.closes(close)) return false
    if (this.text[this.at] !== ',')
      this.fail(this.at >= this.text.length ? 'unexpected end of file' : `expected "," or "${close}"`)
    this.at++
    return true
  }

  private scalar(): null | boolean | number | string {
    if (this.text[this.at] === '"') return this.string()
    words.lastIndex = this.at
    const word = words.exec(this.text)?.[0]
    if (word === undefined) this.fail(this.at >= this.text.length ? 'unexpected end of file' : 'expected a value')
    this.at += word.length
    return JSON.parse(word) as null | boolean | number
  }

  private string(): string {
    const from = this.at
    for (this.at++; this.text[this.at] !== '"'; this.at++) {
      if (this.at >= this.text.length || this.text[this.at] === '\n') this.fail('unterminated string')
      if (this.text[this.at] === '\\') this.at++
    }
    this.at++
    try {
      return JSON.parse(this.text.slice(from, this.at)) as string
    } catch {
      this.at = from
      return this.fail('invalid character or escape in a string')
    }
  }

  private space(): void {
    spaces.lastIndex = this.at
    this.at += spaces.exec(this.text)?.[0].length ?? 0
  }

  private lineHere(): number {
    for (; this.counted < this.at; this.counted++) if (this.text[this.counted] === '\n') this.line++
    return this.line
  }

  private fail(what: string, back = 0): never {
    this.at = Math.min(this.at - back, this.text.length)
    const line = this.lineHere()
    const column = this.at - this.text.lastIndexOf('\n', this.at - 1)
    throw new PlanRefused({
      code: 'unreadable-json',
      message: `invalid JSON: line ${line}, column ${column}: ${what}`,
      line,
    })
  }
}

const words = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![A-Za-z0-9_])/y
const spaces = /[ \t\n\r]*/y
