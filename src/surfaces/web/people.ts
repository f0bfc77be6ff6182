import { createHash } from 'node:crypto'
import type { Line, Span } from '../../contract/show.ts'
import type { Json } from '../../contract/values.ts'

// Bounded, as addresses are: otherwise a long word would take the square of its length.
const address = /[\p{L}\p{N}._+'-]{1,64}(?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*/gu

/** A person's name in logs that a page shows. The same person has the same one everywhere. */
export const hidePerson = (name: string): string =>
  `User-${createHash('sha256').update(name.trim().toLowerCase()).digest('hex').slice(0, 8)}`

/** Replaces mail addresses, and the names of people who sent notes, in a line of a log. */
export function hidePeople(line: Line, people: ReadonlySet<string>): Line {
  const hide = createHider(people)
  return line.map((span): Span => {
    if (typeof span === 'string') return hide(span)
    return 'text' in span ? { ...span, text: hide(span.text) } : span
  })
}

/** The same in all texts of a JSON value. */
export function hidePeopleIn(value: Json, people: ReadonlySet<string>): Json {
  const hide = createHider(people)
  const walk = (one: Json): Json => {
    if (typeof one === 'string') return hide(one)
    if (Array.isArray(one)) return one.map(walk)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, walk(inner)]))
  }
  return walk(value)
}

function createHider(people: ReadonlySet<string>): (text: string) => string {
  const names = [...people].map((name) => name.replace(/[^\p{L}\p{N}]/gu, '\\$&'))
  const anyone =
    names.length > 0 ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${names.join('|')})(?![\\p{L}\\p{N}])`, 'gu') : null
  return (text) => {
    const hidden = /@|%40/.test(text) ? text.replace(address, hidePerson) : text
    return anyone ? hidden.replace(anyone, hidePerson) : hidden
  }
}
