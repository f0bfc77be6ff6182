import { findLanguage, type Language } from './languages.ts'

/** A file before and after a story. A text is undefined if the file is missing, binary or too large. */
export type Changed = {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * Whether changed tests ask for the same as before, of what has another name or place now: the old name is gone from the product, the new one is in
 * it, and nothing else differs. A test may move; none may be added, deleted or reordered.
 */
export function areRenamed(checks: readonly Changed[], product: readonly Changed[]): boolean {
  const [was, is] = [listWords(product, 'before'), listWords(product, 'after')]
  const gone = product.flatMap(({ path, after }) => (after === undefined ? [toPlace(path)] : []))
  const come = product.flatMap(({ path, before }) => (before === undefined ? [toPlace(path)] : []))
  const names = new Map<string, string>()
  const isRenamed = (one: string, other: string): boolean => {
    const name = names.get(one) ?? other
    names.set(one, name)
    return name === other && was.has(one) && !is.has(one) && is.has(other)
  }
  const isMoved = (one: string, other: string): boolean =>
    gone.some((place) => isAt(place, toPlace(one))) && come.some((place) => isAt(place, toPlace(other)))
  const texts: [string, string][] = []
  const isSame = (one: string, other: string, depth = 0): boolean => {
    if (one === other || (depth === 0 && isMoved(one, other))) return true
    // Texts may name what is renamed elsewhere.
    if (/^['"`]/.test(one) && /^['"`]/.test(other)) return texts.push([one, other]) > 0
    const [parts, others] = [one.match(part) ?? [], other.match(part) ?? []]
    if (parts.length === 1) return isRenamed(one, other)
    return parts.length === others.length && parts.every((name, index) => isSame(name, others[index]!, 1))
  }
  const asksTheSame = (path: string, before?: string, after?: string): boolean => {
    if (before === undefined || after === undefined) return false
    const language = findLanguage(path, before)
    if (!language) return before === after
    const [old, own] = [splitTokens(before, language), splitTokens(after, language)]
    return old.length === own.length && old.every((token, index) => isSame(token, own[index]!))
  }
  const added = checks.filter(({ before }) => before === undefined)
  for (const { path, before, after } of checks.filter((one) => !added.includes(one))) {
    const moved = after === undefined ? added.findIndex((one) => asksTheSame(path, before, one.after)) : -1
    if (moved >= 0) added.splice(moved, 1)
    else if (!asksTheSame(path, before, after)) return false
  }
  const follow = (text: string): string => text.replace(word, (name) => names.get(name) ?? name)
  return added.length === 0 && texts.every(([one, other]) => follow(one) === other)
}

const word = /[\p{L}_$][\w$]*/gu

function listWords(product: readonly Changed[], side: 'before' | 'after'): ReadonlySet<string> {
  return new Set(
    product.flatMap((one) => (one[side] === undefined ? [] : (`${one.path}\n${one[side]}`.match(word) ?? []))),
  )
}

/** `src.money` for `../src/money.js`, and for the module of Python. */
const toPlace = (path: string): string =>
  path.replace(/^(?:\.{1,2}\/)+|\.(?:[cm]?[jt]sx?|py|go|rs)$/g, '').replaceAll('/', '.')

const isAt = (place: string, module: string): boolean => `.${place}`.endsWith(`.${module}`)

/** A text in quotes is one token, but where a module is named: there its path is one. */
const splitTokens = (text: string, { keep }: Language): readonly string[] =>
  text
    .replace(testName, '')
    .split('\n')
    .flatMap((line) => line.match(keep.test(line) ? place : token) ?? [])
const place = /(?:\.{1,2}\/)*[\p{L}_$@][\w$@./-]*|\S/gu
const token = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[\p{L}_$][\w$]*|\S/gu
const part = /[\p{L}_$][\w$]*|./gu
const testName = /(?<=\b(?:def test|func Test))\w*/g
