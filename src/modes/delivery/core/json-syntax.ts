import { type JSONVisitor, visit } from 'jsonc-parser'

export type JsonSyntaxProblem = {
  readonly what: 'not JSON' | 'nested too deeply'
  readonly offset: number
  /** Both count from 1. */
  readonly line: number
  readonly column: number
  readonly found: string
  readonly allowed: string
}

type Reader = Pick<
  JSONVisitor,
  'onObjectBegin' | 'onObjectProperty' | 'onObjectEnd' | 'onArrayBegin' | 'onArrayEnd' | 'onLiteralValue'
>

/**
 * Reads strict JSON with the parser's callbacks. Returns the first place where JSON.parse would fail or where nesting exceeds
 * `maxDepth`. Stops there by throwing, because the parser recurses and would carry on after an error.
 */
export function visitJson(text: string, maxDepth: number, reader: Reader): JsonSyntaxProblem | undefined {
  const problems: JsonSyntaxProblem[] = []
  const closings: ('}' | ']')[] = []
  let expected = 'a value'

  const stop = (problem: JsonSyntaxProblem): never => {
    problems.push(problem)
    throw new Error(problem.what)
  }
  const fail = (offset: number, line: number, character: number): never => {
    const start = startOfWord(text, offset)
    const found = readToken(text, start)
    const column = character + 1 - (offset - start)
    const allowed = start < offset ? 'a value' : expected.startsWith('a value') && found === '"' ? textRule : expected
    return stop({ what: 'not JSON', offset: start, line: line + 1, column, found, allowed })
  }
  const begin = (closing: '}' | ']', offset: number, line: number, character: number): void => {
    if (closings.length === maxDepth) {
      const [found, allowed] = [`more than ${maxDepth} levels`, `at most ${maxDepth} levels`]
      stop({ what: 'nested too deeply', offset, line: line + 1, column: character + 1, found, allowed })
    }
    closings.push(closing)
    expected = closing === '}' ? 'a key in double quotes, or "}"' : 'a value, or "]"'
  }
  const endValue = (): void => {
    expected = closings.length === 0 ? 'nothing after the end of the value' : `"," or "${closings.at(-1)}"`
  }
  const end = (offset: number, line: number, character: number): void => {
    // The parser also reports an end where the text stops early.
    if (text[offset] !== closings.at(-1)) fail(offset, line, character)
    closings.pop()
    endValue()
  }

  try {
    visit(
      text,
      {
        onObjectBegin: (offset, length, line, character, path) => {
          begin('}', offset, line, character)
          reader.onObjectBegin?.(offset, length, line, character, path)
        },
        onArrayBegin: (offset, length, line, character, path) => {
          begin(']', offset, line, character)
          reader.onArrayBegin?.(offset, length, line, character, path)
        },
        onObjectProperty: (key, ...place) => {
          expected = '":"'
          reader.onObjectProperty?.(key, ...place)
        },
        onSeparator: (mark) => {
          expected = mark === ',' && closings.at(-1) === '}' ? 'a key in double quotes' : 'a value'
        },
        onLiteralValue: (value, ...place) => {
          endValue()
          reader.onLiteralValue?.(value, ...place)
        },
        onObjectEnd: (offset, length, line, character) => {
          end(offset, line, character)
          reader.onObjectEnd?.(offset, length, line, character)
        },
        onArrayEnd: (offset, length, line, character) => {
          end(offset, line, character)
          reader.onArrayEnd?.(offset, length, line, character)
        },
        onError: (_code, offset, _length, line, character) => fail(offset, line, character),
      },
      { disallowComments: true },
    )
  } catch (error) {
    if (problems.length === 0) throw error
  }
  return problems[0]
}

const textRule = 'text in double quotes, ended and with control characters written as escapes'

/** Returns where the word at the offset starts: the parser takes 007 for three numbers. */
function startOfWord(text: string, offset: number): number {
  let start = offset
  if (isWord(text[offset])) while (isWord(text[start - 1])) start--
  return start
}

const isWord = (letter: string | undefined): boolean => letter !== undefined && /[\w.+-]/.test(letter)

function readToken(text: string, at: number): string {
  return at >= text.length ? 'the end of the text' : (/^(?:[\w.+-]+|.)/s.exec(text.slice(at, at + 100))?.[0] ?? '')
}
