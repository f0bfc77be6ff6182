/** Replaces people by pseudonyms. A person has the same one everywhere in the log. */
export type Hide = {
  readonly person: (name: string) => string
  /** Replaces mail addresses, user ids and known names within a text. */
  readonly words: (text: string) => string
}

const maxLength = 200

export function hidePeople(pseudonymOf: (text: string) => string, known: readonly string[]): Hide {
  const person = (name: string): string => pseudonymOf(name.trim().toLowerCase())
  const names = known.filter((name) => name !== '').map((name) => name.replace(/[^\p{L}\p{N}]/gu, '\\$&'))
  const anyone = names.length ? new RegExp(`${notAfter}(?:${names.join('|')})${notBefore}`, 'giu') : undefined
  const hide = (text: string): string => {
    const parts = text.slice(0, maxLength).replace(address, person).replace(userId, person)
    return anyone ? parts.replace(anyone, person) : parts
  }
  // Cached: every line has the same few texts.
  const hidden = new Map<string, string>()
  const words = (text: string): string => {
    const found = hidden.get(text) ?? hide(text)
    if (hidden.size < 100) hidden.set(text, found)
    return found
  }
  return { person, words }
}

const notAfter = '(?<![\\p{L}\\p{N}])'
const notBefore = '(?![\\p{L}\\p{N}])'
const address = /[\p{L}\p{N}._+'-]+(?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*/gu
const userId = new RegExp(`${notAfter}(?:user|usr|uid)(?:[-_ ]?id)?[-_:=#/ ]?\\d+${notBefore}`, 'giu')
