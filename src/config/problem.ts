import { PawlError } from '../contract/exit.ts'

export type ConfigProblem = {
  /** The file as shown to people; the variable or flag where the value came from one. */
  readonly file: string
  readonly line: number | null
  readonly column: number | null
  /** Dotted, such as `procedures.build.gates`; empty for the file as a whole. */
  readonly key: string
  readonly what: string
  readonly found: string
  readonly allowed: string
  readonly nearest?: string | undefined
  readonly next: string
}

const shownProblems = 20

/** Carries the fields of the first problem; `problems` has all of them and the message one line for each. */
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
    const left = problems.length - shownProblems
    const lines = problems.slice(0, shownProblems).map(problemLine)
    // What was wrong stands on the command line alone, or also in a file.
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

/** A key as problems name it. */
export const formatKeyPath = (path: readonly PropertyKey[]): string =>
  path.map((step) => formatExcerpt(String(step))).join('.')

/** What was found, fit for a terminal: one line, short, without secrets or control characters. */
export function formatExcerpt(text: string, most = 60): string {
  const line = toPrintable(maskSecrets(text))
  return line === '' ? 'nothing' : line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line
}

// Control, line-separating and direction-changing characters could rewrite the line they are shown in.
export function toPrintable(text: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text
    .replace(/[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu, (character) =>
      character === '\n' || character === '\t' ? ' ' : character === '\r' ? '' : escaped(character),
    )
    .trim()
}

const secretLiteral =
  /\b(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abprs]-[A-Za-z0-9-]{10,}|xai-[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}|AIza[A-Za-z0-9_-]{30,})/g

const maskSecrets = (text: string): string => text.replace(secretLiteral, '***')

/** Numbers of the lines that hold what looks like a key. */
export function findSecretLines(text: string): readonly number[] {
  return text.split('\n').flatMap((line, index) => (maskSecrets(line) === line ? [] : [index + 1]))
}
