import { replaceRange } from './read-calls.ts'

export type Random = () => number

/** A small generator of numbers from 0 to 1. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const opposites: Readonly<Record<string, string>> = {
  true: 'false',
  false: 'true',
  True: 'False',
  False: 'True',
  nil: 'nil',
}

export function alterValue(text: string, random: Random): string {
  if (Object.hasOwn(opposites, text)) return opposites[text]!
  if (text === '[]') return `["${makeWord(random)}"]`
  if (text === '{}') return `{"${makeWord(random)}": 1}`
  if (text.startsWith('/')) return `/${makeWord(random)}/`
  if (text === 'null' || text === 'None') return `"${makeWord(random)}"`
  if (/^['"]/.test(text)) return text[0]! + alterLetter(text.slice(1, -1), random) + text[0]!
  const [whole = '0', ...rest] = text.replaceAll('_', '').split('.')
  return [alterNumber(BigInt(whole), random), ...rest].join('.')
}

/** A smaller one is still one of its type. One with the same last digit is missed by a coarse comparison. */
function alterNumber(number: bigint, random: Random): bigint {
  if (number === 0n) return BigInt(1 + Math.floor(random() * 8))
  const step = number >= 10n && random() < 0.3 ? 10n : 1n
  const most = Math.min(random() < 0.5 ? 8 : 2 ** 53, Number(number / step))
  return number - step * BigInt(1 + Math.floor(random() * most))
}

/** Replaces a letter or a digit by another one. What is escaped, or filled in, stays. */
function alterLetter(text: string, random: Random): string {
  const words = [...text.matchAll(/([\\%{$]?)(\w+)/g)].filter(([, mark]) => mark === '')
  const places = words.flatMap(({ 0: word, index }) =>
    [...word.matchAll(/[a-zA-Z0-9]/g)].map((one) => ({ was: one[0], index: index + one.index })),
  )
  const place = places[Math.floor(random() * places.length)]
  if (!place) return text === '' || /^\W$/.test(text) ? makeWord(random)[0]! : `${text}${makeWord(random)[0]}`
  const { was } = place
  const flipped = was === was.toLowerCase() ? was.toUpperCase() : was.toLowerCase()
  // The smallest change is the one that a coarse comparison misses.
  if (flipped !== was && random() < 0.9) return `${text.slice(0, place.index)}${flipped}${text.slice(place.index + 1)}`
  const same = /\d/.test(was) ? '0123456789' : was === was.toUpperCase() ? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' : letters
  const others = same.replace(was, '')
  return `${text.slice(0, place.index)}${others[Math.floor(random() * others.length)]}${text.slice(place.index + 1)}`
}
const letters = 'abcdefghijklmnopqrstuvwxyz'
export const makeWord = (random: Random): string =>
  Array.from({ length: 6 }, () => letters[Math.floor(random() * letters.length)]).join('')

/** Values of data stay values; in other texts each line gets another letter, in what is quoted last if there is any. Names of snapshots stay. */
export function alterData(path: string, text: string, random: Random): string {
  const isValues = /\.(?:json|ya?ml|toml|csv|tsv|ndjson|jsonl)$/i.test(path)
  const lines = text.split('\n').map((line) => {
    const [, name = '', rest = line] = /^(exports\[.*\] = `)(.*)$/.exec(line) ?? []
    const [quoted] = isValues || name !== '' ? [] : [...rest.matchAll(quotedText)].slice(-1)
    if (quoted)
      return replaceRange(line, [quoted.index, quoted.index + quoted[0].length], alterValue(quoted[0], random))
    if (!isValues) return /^\/\/|^\W*$/.test(rest) ? line : name + alterLetter(rest, random)
    const last = [...line.matchAll(dataValue)].filter(([, isKey]) => isKey === undefined).at(-1)
    if (!last) return line
    return line.slice(0, last.index) + alterValue(last[0], random) + line.slice(last.index + last[0].length)
  })
  return lines.join('\n')
}
const quotedText = /"(?:[^"\\]|\\.)+"|'(?:[^'\\]|\\.)+'/g
const dataValue = /"(?:[^"\\]|\\.)*"(\s*:)?|(?<![\w."-])\d+(?:\.\d+)?(?![\w."-])|\b(?:true|false)\b/g
