import { formatExcerpt } from '../../../../config/problem.ts'

const mostBytes = 32 * 1024

/**
 * Why a command may not run, or undefined if it may. Where `allow` is given, every program of a chain must be named in
 * it, and a command of which that cannot be told for sure is refused.
 */
export function refuseCommand(command: string, allow: readonly string[] | undefined): string | undefined {
  if (command.trim() === '') return 'the command is empty'
  if (command.includes('\0')) return 'the command has NUL in it'
  if (Buffer.byteLength(command) > mostBytes) return 'the command has more than 32 KiB'
  if (!allow) return undefined
  const { firstWords, unclear } = simpleCommands(command)
  if (unclear !== undefined) return `verification.allow cannot be checked: ${unclear}`
  const other = firstWords.find((word) => !allow.includes(word))
  return other === undefined ? undefined : `${formatExcerpt(JSON.stringify(other))} is not in verification.allow`
}

/** The programs that a command starts by name, in order; undefined where that cannot be told for sure. */
export function firstWords(command: string): readonly string[] | undefined {
  const { firstWords, unclear } = simpleCommands(command)
  return unclear === undefined ? firstWords : undefined
}

/** The first words of a chain of simple commands, or what makes it more than that. */
type SimpleCommands = { readonly firstWords: readonly string[]; readonly unclear?: string }

// Words that the shell itself reads: behind them stands another command, or none.
const reserved = new Set(
  'if then elif else fi for in do done while until case esac select function time coproc { } ! [['.split(' '),
)
const assignment = /^[A-Za-z_][A-Za-z0-9_]*(?:\[.*\])?\+?=/s
const operators = ['&&', '||', ';;', '|&', ';', '&', '|', '\n']
/** To another descriptor, or to nowhere: nothing is written. */
const harmlessRedirection = /(?:[<>]&(?:[0-9]+|-)|(?:<|>>?)[ \t]*\/dev\/null)(?=[ \t\n;&|]|$)/y

/** Reads what /bin/sh would, as far as it is sure of it; never runs or expands anything. */
function simpleCommands(text: string): SimpleCommands {
  // The shell takes these out before it reads anything, so that even $ and ( can stand on two lines.
  if (text.includes('\\\n')) return unclear('a line of it ends in a backslash')
  const firstWords: string[] = []
  let words = 0
  /** Behind && and | there must be a command. */
  let awaited: string | undefined
  let at = 0
  while (at < text.length) {
    const operator = operators.find((sign) => text.startsWith(sign, at))
    if (operator !== undefined) {
      if (words > 0) awaited = operator === '&&' || operator.startsWith('|') ? operator : undefined
      else if (operator !== '\n') return unclear(`nothing stands before ${operator}`)
      if (operator === ';;' || operator === '|&') return unclear(`it has ${operator}`)
      words = 0
      at += operator.length
      continue
    }
    const letter = text[at]!
    if (letter === ' ' || letter === '\t') at++
    else if (letter === '#') at = endOfLine(text, at)
    else if (letter === '<' || letter === '>') {
      const end = endOfRedirection(text, at)
      if (end === undefined) return unclear('it redirects to or from a file')
      at = end
    } else {
      const word = readWord(text, at)
      if (typeof word === 'string') return unclear(word)
      at = word.end
      // The number of a descriptor belongs to the redirection behind it.
      if (!word.quoted && /^[0-9]+$/.test(word.value) && /[<>]/.test(text[at] ?? '')) continue
      if (words++ > 0) continue
      if (word.expands && word.value !== '[') return unclear('its first word stands for something else')
      if (!word.quoted && reserved.has(word.value)) return unclear(`it has ${word.value}`)
      if (assignment.test(word.value)) return unclear('it sets a variable')
      firstWords.push(word.value)
    }
  }
  if (words === 0 && awaited !== undefined) return unclear(`nothing stands behind ${awaited}`)
  return firstWords.length === 0 ? unclear('it runs nothing') : { firstWords }
}

const unclear = (why: string): SimpleCommands => ({ firstWords: [], unclear: why })

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function endOfRedirection(text: string, from: number): number | undefined {
  harmlessRedirection.lastIndex = from
  return harmlessRedirection.test(text) ? harmlessRedirection.lastIndex : undefined
}

type Word = {
  readonly value: string
  readonly end: number
  readonly quoted: boolean
  /** A variable, a pattern or a home folder: what it comes to is known only when it runs. */
  readonly expands: boolean
}

/** One word with its quotes taken off, or what makes it more than a word. */
function readWord(text: string, from: number): Word | string {
  let value = ''
  let quote: '"' | "'" | undefined
  let quoted = false
  let expands = text[from] === '~'
  let at = from
  for (; at < text.length; at++) {
    const letter = text[at]!
    const next = text[at + 1] ?? ''
    if (quote === "'") {
      if (letter === "'") quote = undefined
      else value += letter
    } else if (letter === '\\' && (quote === undefined || '"\\$`'.includes(next))) {
      if (next === '') return 'it ends in a backslash'
      value += next
      quoted = true
      at++
    } else if (letter === '`') return 'it has a command substitution'
    else if (letter === '$') {
      const trouble = expansion(text, at, quote !== undefined)
      if (trouble) return trouble
      value += letter
      expands = true
    } else if (letter === quote) quote = undefined
    else if (quote) value += letter
    else if (letter === '"' || letter === "'") {
      quote = letter
      quoted = true
    } else if (letter === '(' || letter === ')') return 'it has parentheses'
    else if (' \t\n;&|<>'.includes(letter)) break
    else {
      value += letter
      expands ||= '*?['.includes(letter)
    }
  }
  if (quote) return `it has an unclosed ${quote}`
  return { value, end: at, quoted, expands }
}

/** A plain variable stays within its word; anything more may run something. */
function expansion(text: string, at: number, inQuotes: boolean): string | undefined {
  const next = text[at + 1] ?? ''
  if (next === '(') return 'it has a command substitution'
  const plain = next !== '[' && (next !== '{' || /^\{[A-Za-z_][A-Za-z0-9_]*\}/.test(text.slice(at + 1, at + 202)))
  if (!plain) return 'it has more than a plain variable'
  return !inQuotes && (next === '"' || next === "'") ? 'it has quotes behind $' : undefined
}
