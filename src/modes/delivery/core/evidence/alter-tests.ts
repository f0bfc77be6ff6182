import { alterValues, splitArguments } from './alter-values.ts'
import { findLanguage, isPartOf, type Language, splitTests } from './languages.ts'
import { alterData, createRandom, makeWord, type Random } from './other-values.ts'
import { alterInline } from './parts.ts'

/**
 * Ways to change tests. `values`: one expected value of each test becomes another one of its type. `expected`: what is expected becomes something
 * that nothing equals, whatever it is; a test without such an assertion fails at its start. `data`: expected output in files that are no code.
 * `failure`: a failure at the end. `comment`: a comment at the end, which must change nothing.
 */
export type Alteration = 'values' | 'expected' | 'data' | 'failure' | 'comment'

export type AlterOptions = {
  /** Nobody can foresee the new values: a product that could would see that it is tried. */
  readonly seed: number
  /** With each turn, another assertion of a test is altered. */
  readonly turn?: number
  /** The file is one test. Otherwise each test in it is altered. */
  readonly isOne?: boolean
  /** False for a source with tests inside. */
  readonly isTest?: boolean
  /** Whether a text names a file of the repository. Another one would be missed. */
  readonly namesFile?: (text: string) => boolean
}

/** Undefined if there is nothing to change, or the language is not known. */
export function alterTest(path: string, text: string, how: Alteration, options: AlterOptions): string | undefined {
  const { seed, turn = 0, isTest = true, isOne = false, namesFile = () => false } = options
  // A source with tests inside: only those.
  if (!isTest && (how === 'values' || how === 'expected'))
    return alterInline(path, text, (part) => alterTest(path, part, how, { ...options, isTest: true }))
  if (text.length > maxLength || text.trim() === '') return undefined
  const language = findLanguage(path, text)
  const random = createRandom(seed + turn)
  if (how === 'data') return language ? undefined : differs(text, alterData(path, text, random))
  if (!language) return undefined
  const { failure, marks } = language
  if (how === 'failure') return failure && `${text.trimEnd()}\n${failure}\n`
  if (how === 'comment') return marks && `${text.trimEnd()}\n${marks} ${makeWord(random)}\n`
  if (how === 'expected') return differs(text, alterExpected(text, language, random))
  return differs(text, alterValues(text, language, { random, seed, turn, isOne, namesFile }))
}

/** The names of tests in which a line differs. */
export function listAltered(path: string, before: string, after: string): readonly string[] {
  const language = findLanguage(path, before)
  const [lines, others] = [before.split('\n'), after.split('\n')]
  if (!language?.test || lines.length !== others.length) return []
  return splitTests(lines, language).flatMap(([start, end]) => {
    const part = lines.slice(start, end)
    const [, title, name] =
      /(?:def|func|fn)\s+(\w+)|\(\s*['"`](.*?)['"`]/.exec(part.find((line) => language.test!.test(line)) ?? '') ?? []
    return part.some((line, index) => line !== others[start + index]) ? [title ?? name ?? ''].filter(Boolean) : []
  })
}

const maxLength = 8 << 20
const differs = (text: string, altered: string): string | undefined => (altered === text ? undefined : altered)

/** Each test for itself, because one that cannot be altered has to fail in another way. */
function alterExpected(text: string, language: Language, random: Random): string {
  const { test, failAt } = language
  const lines = text.split('\n')
  const parts = splitTests(lines, language).map((part) => {
    const own = lines.slice(...part)
    if (isPartOf(language.helper, lines, part) && !isPartOf(test, lines, part)) return own.join('\n')
    const wrapped = wrapExpected(own.join('\n'), language, random)
    if (wrapped !== own.join('\n') || !failAt) return wrapped
    return own.map((line) => (test?.test(line) ? failAt(line) : line)).join('\n')
  })
  return (parts[0] === '' && lines[0] !== '' ? parts.slice(1) : parts).join('\n')
}

const equalities =
  /\b(?:assert|t|self)\.(?!\w*[nN]ot)(?:\w*[eE]qual\w*|is|same)\(|\.(?<!not\.)(?:toBe|toEqual|toStrictEqual|equals?|eql)\(/g

function wrapExpected(text: string, { wrap }: Language, random: Random): string {
  if (!wrap) return text
  const word = makeWord(random)
  let altered = text
  let end = text.length
  for (const found of [...text.matchAll(equalities)].reverse()) {
    const place = splitArguments(text, found.index + found[0].length)[found[0].startsWith('.') ? 0 : 1]
    if (!place || place[1] > end) continue
    altered = altered.slice(0, place[0]) + wrap(text.slice(...place).trim(), word) + altered.slice(place[1])
    end = found.index
  }
  return altered.replace(/^(\s*assert\s(?!not\b).*? == )(.+)$/gm, (line, start: string, rest: string) => {
    const [place] = splitArguments(`${rest})`, 0)
    return place && place[1] > 0 ? `${start}${wrap(rest.slice(...place), word)}${rest.slice(place[1])}` : line
  })
}

/** Whether a file that is named nowhere as a test may be one. */
export const hasAssertions = (text: string): boolean => /\b(?:assert|expect)\b/.test(text)
