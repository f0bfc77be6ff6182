// Pure rooms get time, randomness and the process from their callers. The import check finds most impure code; these are
// the globals that need no import.
import { type Token, tokensOf } from './tokens.ts'

export type Impurity = { readonly line: number; readonly name: string }

const pureRooms = [/^kernel\//, /^show\//, /^modes\/[^/]+\/(core|show)\//]

export const isPure = (file: string): boolean => pureRooms.some((room) => room.test(file))

/** Finds each use of the clock, randomness and the process. `new Date(time)` is allowed. */
export function findImpurities(source: string): Impurity[] {
  const tokens = tokensOf(source)
  return tokens.flatMap((token, at) => {
    const name = token.kind === 'word' && !isMember(tokens, at) ? nameImpurity(tokens, at) : undefined
    return name === undefined ? [] : [{ line: token.line, name }]
  })
}

const members: Readonly<Record<string, string>> = { Date: 'now', Math: 'random', performance: 'now' }

function nameImpurity(tokens: readonly Token[], at: number): string | undefined {
  const [word, next, member] = [tokens[at]!.text, tokens[at + 1], tokens[at + 2]]
  if (word === 'process' && (isMark(next, '.') || isMark(next, '['))) return 'process'
  if (isMark(next, '.') && member?.text === members[word]) return `${word}.${member?.text}()`
  if (word === 'new' && next?.text === 'Date' && !hasArgument(tokens, at + 2)) return 'new Date()'
  return undefined
}

/** `x.process` is a field of a value. `...process.env` is not, although a dot comes before it. */
function isMember(tokens: readonly Token[], at: number): boolean {
  return isMark(tokens[at - 1], '.') && !isMark(tokens[at - 2], '.')
}

function hasArgument(tokens: readonly Token[], at: number): boolean {
  return isMark(tokens[at], '(') && !isMark(tokens[at + 1], ')')
}

const isMark = (token: Token | undefined, text: string): boolean => token?.kind === 'mark' && token.text === text
