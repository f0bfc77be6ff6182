// A minimal TypeScript tokenizer that separates code from comments, strings, templates and regular expressions.

/** `text` of a string is without quotes. A template counts as a string only if it has no substitutions. */
export type Token = { readonly kind: 'word' | 'string' | 'mark'; readonly text: string; readonly line: number }

const patterns = {
  blank: /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y,
  word: /[\p{L}_$#][\p{L}\p{N}_$]*/uy,
  number: /\d[\w.]*/y,
  string: /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y,
  regex: /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y,
  templatePart: /(?:\\[\s\S]|\$(?!\{)|[^\\$`])*/y,
}

export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  // The number of open braces inside each open `${` of a template.
  const templates: number[] = []
  let at = 0
  let line = 1

  function take(pattern: RegExp): string | null {
    pattern.lastIndex = at
    const text = pattern.exec(source)?.[0]
    if (!text) return null
    at += text.length
    return text
  }
  function push(kind: Token['kind'], text: string, raw = text): void {
    tokens.push({ kind, text, line })
    line += countLines(raw)
  }
  /** Reads from after a backtick, or after the brace that closes a `${}`, to the next of either. */
  function template(isStart: boolean): void {
    const text = take(patterns.templatePart) ?? ''
    const opens = source.startsWith('${', at)
    at += opens ? 2 : 1
    if (opens) templates.push(0)
    if (isStart && !opens) push('string', text)
    else push('mark', opens ? '${' : '`', text)
  }
  function mark(character: string): void {
    at += 1
    const open = templates.length - 1
    const closes = character === '}' && templates[open] === 0
    if (closes) templates.pop()
    if (closes || character === '`') {
      template(!closes)
      return
    }
    if (open >= 0 && character === '{') templates[open]! += 1
    if (open >= 0 && character === '}') templates[open]! -= 1
    push('mark', character)
  }

  while (at < source.length) {
    const blank = take(patterns.blank)
    if (blank) {
      line += countLines(blank)
      continue
    }
    const word = take(patterns.word)
    if (word) {
      push('word', word)
      continue
    }
    const quoted = take(patterns.string)
    if (quoted) push('string', quoted.slice(1, -1), quoted)
    else if (take(patterns.number) ?? (canBeginValue(tokens.at(-1)) ? take(patterns.regex) : null)) push('mark', '0')
    else mark(source[at]!)
  }
  return tokens
}

const wordsBeforeValue = new Set(['return', 'typeof', 'case', 'in', 'of', 'delete', 'void', 'throw', 'await', 'yield'])

/** A slash starts a regular expression where a value may start, and is a division after a value. */
function canBeginValue(previous: Token | undefined): boolean {
  if (!previous) return true
  if (previous.kind === 'word') return wordsBeforeValue.has(previous.text)
  return previous.kind === 'mark' && !['0', ')', ']', '`'].includes(previous.text)
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}
