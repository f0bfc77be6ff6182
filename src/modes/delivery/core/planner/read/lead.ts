import { type Id, idAt, kindOfPrefix, parseId } from './ids.ts'

export type Box = { readonly box: boolean; readonly text: string }

/** `[ ] text`, `[x] text`, `[ ]* text`: whether it is ticked is not asked, since nobody has to be believed. */
export function withoutBox(raw: string): Box {
  const match = /^\[[ xX~-]?\]\*?\s+/.exec(raw)
  return { box: match !== null, text: raw.slice(match?.[0].length ?? 0).replace(/^[✅☑✔❌⏳🚧⬜🔲]\ufe0f?\s+/u, '') }
}

export type Led = { readonly id: Id | null; readonly rest: string }

const before = /[*_`[(~]{0,6}/y
const after = /[*_`\])~]{0,6}(?:\s{0,3}[:.–—|-](?=\s|\*|_|$))?[*_`:]{0,6}\s{0,8}/y

/** The id that a line begins with, and the rest: `**AC-01:** text`, `T001 [P] text`, `Task T-1: title`, `1.2 Text`. */
export function leadingId(raw: string): Led {
  const start = endOf(before, raw, 0)
  const word = /^(?:task|story|user story|requirement|feature) {1,2}(?=[A-Za-z]+-?\d)/i.exec(
    raw.slice(start, start + 30),
  )
  const from = start + (word?.[0].length ?? 0)
  const found = idAt(raw, from)
  // `c2f 100` is a command, and no line with the id c2f.
  if (found && raw.slice(0, start).includes('`') && raw[found.end] !== '`') return { id: null, rest: raw }
  if (found) {
    const end = endOf(after, raw, found.end)
    const marked = raw.slice(from + found.id.shown.length, end).trim() !== '' || start > 0
    return isMeant(found.id, marked, end === raw.length)
      ? { id: found.id, rest: raw.slice(end) }
      : { id: null, rest: raw }
  }
  return leadingNumber(raw, start)
}

/** `1. Text` and `1.2 Text`; `3 retries` and `2.5 seconds` are no ids. */
function leadingNumber(raw: string, start: number): Led {
  const match = /^\d{1,4}(?:\.\d{1,4}){0,4}[.)]?[*_`]{0,4}\s{1,4}(?=[\p{Lu}\p{Extended_Pictographic}`*[])/u.exec(
    raw.slice(start, start + 60),
  )
  const number = match ? idAt(raw, start, true) : undefined
  const dotted = match && /[.)]/.test(match[0])
  return number && dotted ? { id: number.id, rest: raw.slice(start + match[0].length) } : { id: null, rest: raw }
}

/** `HTTP2 is used` begins with no id, `T1 text` may, `T001 text` does, `AUTH-3: text` does. */
function isMeant(id: Id, marked: boolean, alone: boolean): boolean {
  if (marked || alone) return true
  if (!kindOfPrefix(id)) return false
  return id.prefix.length > 1 || /[-_]/.test(id.shown) || /\d{2}/.test(id.shown)
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return from + (pattern.exec(text)?.[0].length ?? 0)
}

const tags = /^\s{0,3}\[([A-Za-z]{1,4}-?\d{0,6})\]/

/** spec-kit: `[P]` for parallel, `[US1]` for the story it is part of. */
export function tagsIn(rest: string): { covers: Id[]; rest: string } {
  const covers: Id[] = []
  let left = rest
  for (let match = tags.exec(left); match; match = tags.exec(left)) {
    const id = parseId(match[1]!)
    if (id) covers.push(id)
    left = left.slice(match[0].length)
  }
  return { covers, rest: left.trimStart() }
}
