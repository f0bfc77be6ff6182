import { PawlError } from '../contract/exit.ts'

/** Splits a command into words like a shell: supports quotes and backslashes, but no variables, pipes or globs. */
export function splitCommand(text: string, key = 'ai_cmd'): [string, ...string[]] {
  const words: string[] = []
  let word: string | undefined
  let quote: '"' | "'" | undefined
  for (let i = 0; i < text.length; i++) {
    const letter = text[i]!
    if (quote === "'" && letter !== "'") word += letter
    else if (letter === '\\' && (quote !== '"' || '"\\$`'.includes(text[i + 1] ?? '')))
      word = (word ?? '') + (text[++i] ?? '\\')
    else if (letter === quote) quote = undefined
    else if (quote) word += letter
    else if (letter === '"' || letter === "'") {
      quote = letter
      word ??= ''
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + letter
  }
  if (quote) throw new PawlError(30, `${key} has an unclosed ${quote}: ${text}`)
  if (word !== undefined) words.push(word)
  const [program, ...rest] = words
  if (!program) throw new PawlError(30, `${key} is empty`)
  return [program, ...rest]
}
