import { formatExcerpt } from '../../../../config/problem.ts'

const maxBytes = 32 * 1024

/**
 * Returns why a command may not run, or undefined if it may. If `allow` is set, every program of a chain must be in it,
 * and a command that cannot be analysed is refused.
 */
export function refuseCommand(command: string, allow: readonly string[] | undefined): string | undefined {
  if (command.trim() === '') return 'the command is empty'
  if (command.includes('\0')) return 'the command contains NUL'
  if (Buffer.byteLength(command) > maxBytes) return 'the command is longer than 32 KiB'
  if (!allow) return undefined
  const { firstWords, unclear } = parseCommands(command)
  if (unclear !== undefined) return `verification.allow cannot be checked: ${unclear}`
  const other = firstWords.find((word) => !allow.includes(word))
  return other === undefined ? undefined : `${formatExcerpt(JSON.stringify(other))} is not in verification.allow`
}

/** Lists the programs that a command starts, in order. Undefined if the command cannot be analysed. */
export function firstWords(command: string): readonly string[] | undefined {
  const { firstWords, unclear } = parseCommands(command)
  return unclear === undefined ? firstWords : undefined
}

/** The first words of a chain of simple commands, or the reason why it is not one. */
type SimpleCommands = { readonly firstWords: readonly string[]; readonly unclear?: string }

// Shell keywords: another command, or none, follows them.
const reserved = new Set(
  'if then elif else fi for in do done while until case esac select function time coproc { } ! [['.split(' '),
)
const assignment = /^[A-Za-z_][A-Za-z0-9_]*(?:\[.*\])?\+?=/s
const operators = ['&&', '||', ';;', '|&', ';', '&', '|', '\n']
/** Redirects to another descriptor or /dev/null, so no file is written. */
const harmlessRedirection = /(?:[<>]&(?:[0-9]+|-)|(?:<|>>?)[ \t]*\/dev\/null)(?=[ \t\n;&|]|$)/y

/** Parses the command as /bin/sh would and gives up when in doubt. Runs and expands nothing. */
function parseCommands(text: string): SimpleCommands {
  // The shell removes line continuations first, so that even $ and ( can be on two lines.
  if (text.includes('\\\n')) return unclear('a line ends in a backslash')
  const firstWords: string[] = []
  let words = 0
  /** The && or | that still needs a command after it. */
  let awaited: string | undefined
  let at = 0
  while (at < text.length) {
    const operator = operators.find((sign) => text.startsWith(sign, at))
    if (operator !== undefined) {
      if (words > 0) awaited = operator === '&&' || operator.startsWith('|') ? operator : undefined
      else if (operator !== '\n') return unclear(`nothing comes before ${operator}`)
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
      // A descriptor number belongs to the redirection after it.
      if (!word.quoted && /^[0-9]+$/.test(word.value) && /[<>]/.test(text[at] ?? '')) continue
      if (words++ > 0) continue
      if (word.expands && word.value !== '[') return unclear('its first word is expanded by the shell')
      if (!word.quoted && reserved.has(word.value)) return unclear(`it has ${word.value}`)
      if (assignment.test(word.value)) return unclear('it sets a variable')
      firstWords.push(word.value)
    }
  }
  if (words === 0 && awaited !== undefined) return unclear(`nothing follows ${awaited}`)
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
  /** Has a variable, a pattern or a home folder, so its value is known only at run time. */
  readonly expands: boolean
}

/** Returns one word without its quotes, or the reason why it is not a plain word. */
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
      const refused = refuseExpansion(text, at, quote !== undefined)
      if (refused) return refused
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

/** Returns why an expansion is refused: anything beyond a plain variable may run a command. */
function refuseExpansion(text: string, at: number, inQuotes: boolean): string | undefined {
  const next = text[at + 1] ?? ''
  if (next === '(') return 'it has a command substitution'
  const plain = next !== '[' && (next !== '{' || /^\{[A-Za-z_][A-Za-z0-9_]*\}/.test(text.slice(at + 1, at + 202)))
  if (!plain) return 'it has more than a plain variable'
  return !inQuotes && (next === '"' || next === "'") ? 'it has quotes after $' : undefined
}
