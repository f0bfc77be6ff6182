import { estimateTokenCount } from 'tokenx'

/** Within 15 % of what models count in prose, code and JSON; in a blink even for megabytes. */
export function estimateTokens(text: string): number {
  if (text.length > longest) return estimateTokenCount(text)
  const paragraphs = text.split(/\n{2,}/)
  return paragraphs.reduce((sum, paragraph) => sum + countTokens(paragraph), paragraphs.length - 1)
}

/** A paragraph that is known keeps the text alive that it was cut from: those of long texts are not. */
const longest = 32 * 1024
const mostKnown = 128
const known = new Map<string, number>()

/** A prompt is for the most part the one before, so what was estimated last is known. */
function countTokens(paragraph: string): number {
  const tokens = known.get(paragraph) ?? estimateTokenCount(paragraph)
  known.delete(paragraph)
  known.set(paragraph, tokens)
  if (known.size > mostKnown) known.delete(known.keys().next().value!)
  return tokens
}
