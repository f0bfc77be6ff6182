import { type CST, Lexer, Parser } from 'yaml'
import type { Refusal } from './yaml-refusals.ts'

// More than any person writes. Hostile files are turned away before they cost more than a moment.
const mostTokens = 50_000
const mostLevels = 32

/** Contract: does not recurse and builds no nodes, so it is safe on any text; composing recurses at each level. */
export function findExcess(text: string): Refusal | null {
  let tokens = 0
  let offset = 0
  for (const token of new Lexer().lex(text)) {
    offset += token.length
    tokens += 1
    if (tokens > mostTokens) return tooMuch(offset, 'more', `at most ${mostTokens} words and signs`)
  }
  const open = [...new Parser().parse(text)].map((token): [CST.Token, number] => [token, 0])
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const [token, level] = entry
    if (level > mostLevels) return tooMuch(token.offset, 'more', `at most ${mostLevels} levels of nesting`)
    for (const child of childrenOf(token)) open.push([child, level + 1])
  }
  return null
}

function childrenOf(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : []
  if (!('items' in token)) return []
  return token.items.flatMap((item) => [item.key, item.value].filter((child) => child !== null && child !== undefined))
}

const tooMuch = (offset: number, found: string, allowed: string): Refusal => ({
  offset,
  key: '',
  what: 'the file holds too much',
  found,
  allowed,
  next: 'Make it smaller.',
})
