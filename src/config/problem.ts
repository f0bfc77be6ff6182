import { PawlError } from '../contract/exit.ts'

export type ConfigProblem = {
  /** The file as shown to users, or the variable or flag that holds the value. */
  readonly file: string
  readonly line: number | null
  readonly column: number | null
  /** Dotted, such as `procedures.build.gates`; empty if the problem concerns the entire file. */
  readonly key: string
  readonly what: string
  readonly found: string
  readonly allowed: string
  readonly nearest?: string | undefined
  readonly next: string
}

const maxShown = 20

/** Has the fields of the first problem. `problems` lists all of them, and the message has one line for each. */
export class ConfigError extends PawlError {
  override name = 'ConfigError'
  readonly file: string
  readonly line: number | null
  readonly column: number | null
  readonly key: string
  readonly found: string
  readonly allowed: string
  readonly nearest: string | undefined
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly [ConfigProblem, ...ConfigProblem[]]) {
    const left = problems.length - maxShown
    const lines = problems.slice(0, maxShown).map(problemLine)
    // Exit 2 is for usage errors: all problems are on the command line.
    const exit = problems.every(({ file }) => file.startsWith('--')) ? 2 : 30
    super(exit, [...lines, ...(left > 0 ? [`and ${left} more`] : [])].join('\n'), undefined, 'invalid_config')
    const first = problems[0]
    this.file = first.file
    this.line = first.line
    this.column = first.column
    this.key = first.key
    this.found = first.found
    this.allowed = first.allowed
    this.nearest = first.nearest
    this.problems = problems
  }
}

function problemLine(problem: ConfigProblem): string {
  const place = problem.line === null ? problem.file : `${problem.file}:${problem.line}:${problem.column}`
  const subject = problem.key === '' ? place : `${place} ${problem.key}`
  const guess = problem.nearest === undefined ? '' : ` Did you mean ${problem.nearest}?`
  return toPrintable(
    `${subject}: ${problem.what}, found ${problem.found}, allowed: ${problem.allowed}.${guess} ${problem.next}`,
  )
}

/** Formats a key for an error message. */
export const formatKeyPath = (path: readonly PropertyKey[]): string =>
  path.map((step) => formatExcerpt(String(step))).join('.')

/** Formats text for an error message: one short line without secrets or control characters. */
export function formatExcerpt(text: string, maxLength = 60): string {
  const line = toPrintable(maskSecrets(text))
  return line === '' ? 'nothing' : line.length > maxLength ? `${line.slice(0, maxLength - 1).trimEnd()}…` : line
}

// Escapes control, line-separator and bidi characters, which could alter the line they are printed in.
export function toPrintable(text: string): string {
  const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text
    .replace(/[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu, (character) =>
      character === '\n' || character === '\t' ? ' ' : character === '\r' ? '' : escapeCharacter(character),
    )
    .trim()
}

const secretLiteral =
  /\b(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abprs]-[A-Za-z0-9-]{10,}|xai-[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}|AIza[A-Za-z0-9_-]{30,})/g

const maskSecrets = (text: string): string => text.replace(secretLiteral, '***')

/** Returns the numbers of the lines that seem to contain an API key. */
export function findSecretLines(text: string): readonly number[] {
  return text.split('\n').flatMap((line, index) => (maskSecrets(line) === line ? [] : [index + 1]))
}
