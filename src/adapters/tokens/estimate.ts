import { estimateTokenCount } from 'tokenx'

/** Estimates a text's tokens, within 15 % of real tokenizers for prose, code and JSON. Fast even for megabytes. */
export function estimateTokens(text: string): number {
  if (text.length > maxCachedLength) return estimateTokenCount(text)
  const paragraphs = text.split(/\n{2,}/)
  return paragraphs.reduce((sum, paragraph) => sum + countTokens(paragraph), paragraphs.length - 1)
}

/** Longer texts are not cached: a cached paragraph would keep its complete text in memory. */
const maxCachedLength = 32 * 1024
const maxCached = 128
const cache = new Map<string, number>()

/** Caches recent paragraphs, because a prompt repeats most of the previous one. */
function countTokens(paragraph: string): number {
  const tokens = cache.get(paragraph) ?? estimateTokenCount(paragraph)
  cache.delete(paragraph)
  cache.set(paragraph, tokens)
  if (cache.size > maxCached) cache.delete(cache.keys().next().value!)
  return tokens
}
