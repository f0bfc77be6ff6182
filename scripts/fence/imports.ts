// The modules that a source file names: import, import type, export from, import(), require().
import { type Token, tokensOf } from './tokens.ts'

/** `specifier` is null if the path is computed. */
export type Import = { readonly specifier: string | null; readonly line: number }

export function importsOf(source: string): Import[] {
  const tokens = tokensOf(source)
  const found: Import[] = []
  tokens.forEach((token, at) => {
    if (token.kind !== 'word' || (clauseWords.has(token.text) && isMember(tokens[at - 1]))) return
    const named = call(tokens, at) ?? (clauseWords.has(token.text) ? clause(tokens, at) : null)
    if (named) found.push(named)
  })
  return found
}

const callWords = new Set(['import', 'require', 'getBuiltinModule'])
const clauseWords = new Set(['import', 'export'])

/** `import('x')`, also as an inline type, and its two variants. */
function call(tokens: readonly Token[], at: number): Import | null {
  const { text, line } = tokens[at]!
  if (!callWords.has(text) || tokens[at + 1]?.text !== '(') return null
  const [path, after] = [tokens[at + 2], tokens[at + 3]]
  const plain = path?.kind === 'string' && (after?.text === ')' || after?.text === ',')
  if (plain) return { specifier: path.text, line: path.line }
  return text === 'import' ? { specifier: null, line } : null
}

/** `import 'x'`, `import … from 'x'`, `export … from 'x'`, over any number of lines. */
function clause(tokens: readonly Token[], at: number): Import | null {
  const keyword = tokens[at]!.text
  for (let next = at + 1; next < tokens.length; next++) {
    const token = tokens[next]!
    const previous = tokens[next - 1]!
    if (token.kind === 'string' && (previous.text === 'from' || (keyword === 'import' && next === at + 1))) {
      return { specifier: token.text, line: token.line }
    }
    if (!isClausePart(token, keyword)) return null
  }
  return null
}

function isClausePart({ kind, text }: Token, keyword: string): boolean {
  if (kind === 'mark') return ['{', '}', ',', '*'].includes(text)
  return kind === 'string' || keyword === 'import' || !declarationWords.has(text)
}

// After `export`, these start a declaration, which has no `from`.
const declarationWords = new Set(['const', 'let', 'var', 'function', 'class', 'async', 'default', 'interface', 'enum'])

function isMember(previous: Token | undefined): boolean {
  return previous?.text === '.' && previous.kind === 'mark'
}
