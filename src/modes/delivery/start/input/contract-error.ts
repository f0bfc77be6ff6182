import { formatExcerpt, toPrintable } from '../../../../config/problem.ts'
import { PawlError } from '../../../../contract/exit.ts'
import type { OwnText } from '../../../../contract/programs.ts'
import { type Reason, reasonExits } from '../../contract/result.ts'

export type ContractProblem = {
  /** JSON pointer (RFC 6901), empty for the root; absent if the file cannot be read. */
  readonly pointer?: string
  /** `line:column` of a syntax error. */
  readonly place?: string
  readonly what: string
  readonly found: string
  readonly allowed: string
  readonly nearest?: string | undefined
}

/** A file from another program breaks the contract. The message is one line with place and problem. */
export class ContractError extends PawlError {
  override name = 'ContractError'
  readonly file: string
  readonly pointer: string | undefined
  constructor(file: string, problem: ContractProblem, hint: OwnText) {
    super(30, problemLine(file, problem), hint)
    this.file = file
    this.pointer = problem.pointer
  }
}

function problemLine(file: string, { pointer, place, what, found, allowed, nearest }: ContractProblem): string {
  const subject = formatPath(file) + (place ? `:${place}` : '') + (pointer ? ` ${formatExcerpt(pointer, 100)}` : '')
  const guess = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return `${subject}: ${what}, found ${formatExcerpt(found, 80)}, allowed: ${allowed}.${guess}`
}

/** Cuts the start of a long path, because its end says more. */
function formatPath(file: string): string {
  const line = toPrintable(file)
  return line === '' ? '""' : line.length > 100 ? `…${line.slice(-99)}` : line
}

/** Stops before a key of absurd length: the pointer then names its parent. */
export function formatPointer(path: readonly PropertyKey[]): string {
  const steps = path.map(String)
  const long = steps.findIndex((step) => step.length > 200)
  const kept = long < 0 ? steps : steps.slice(0, long)
  return kept.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Describes a value in a few words. Long text is cut first. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 200))
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : value === null ? 'null' : 'an object'
}

type More = {
  readonly hint?: OwnText | undefined
  /** The place in the run input or the plan. */
  readonly pointer?: string | undefined
  /** For programs, if it is more specific than the reason. */
  readonly code?: string | undefined
}

/** A delivery cannot continue, with a reason of the contract. The reason determines the exit code. */
export class DeliveryError extends PawlError {
  override name = 'DeliveryError'
  readonly reason: Reason
  readonly pointer: string | undefined
  constructor(reason: Reason, message: string, { hint, pointer, code = reason }: More = {}) {
    super(reasonExits[reason], message, hint, code)
    this.reason = reason
    this.pointer = pointer
  }
}
