const marked = /`([^`\n]{1,200})`/g
const inWords = /(?<![A-Za-z0-9_])[A-Za-z][A-Za-z0-9]{0,40}(?:_[A-Za-z0-9]{1,40}){1,8}(?![A-Za-z0-9_])/g
const camel = /(?<![A-Za-z0-9_])[A-Za-z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,6}(?![A-Za-z0-9_])/g
const part = /[A-Za-z][A-Za-z0-9_-]{2,60}/g

/** Names that only a program has: what stands in code marks, snake_case, camelCase. */
function codeWords(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [, code] of text.matchAll(marked)) for (const [word] of code!.matchAll(part)) found.add(word)
  if (text.includes('_')) for (const [word] of text.matchAll(inWords)) found.add(word)
  for (const [word] of text.matchAll(camel)) found.add(word)
  return found
}

/** Finds the one thing that shares names with a text; nothing where several do. */
export function sharedNames<T>(things: readonly T[], textOf: (thing: T) => string) {
  const owners = new Map<string, Set<T>>()
  for (const thing of things) {
    for (const word of codeWords(textOf(thing))) {
      const all = owners.get(word) ?? new Set<T>()
      // Two owners are as good as many: the name tells nothing apart.
      if (all.size < 2) owners.set(word, all.add(thing))
    }
  }
  return (text: string): { readonly thing: T; readonly word: string } | undefined => {
    const candidates = new Map<T, string>()
    for (const word of codeWords(text)) for (const thing of owners.get(word) ?? []) candidates.set(thing, word)
    const [first] = candidates
    return first && candidates.size === 1 ? { thing: first[0], word: first[1] } : undefined
  }
}
