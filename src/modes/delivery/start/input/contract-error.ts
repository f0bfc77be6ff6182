import { formatExcerpt, toPrintable } from '../../../../config/problem.ts'
import { PawlError } from '../../../../contract/exit.ts'
import { type Reason, reasonExits } from '../../contract/result.ts'

export type ContractProblem = {
  /** JSON pointer (RFC 6901), empty for the whole; absent where the file as such cannot be read. */
  readonly pointer?: string
  /** `line:column`, where the text is no JSON. */
  readonly place?: string
  readonly what: string
  readonly found: string
  readonly allowed: string
  readonly nearest?: string | undefined
}

/** A file that another program has written is not what the contract says. One line says where and what. */
export class ContractError extends PawlError {
  override name = 'ContractError'
  readonly file: string
  readonly pointer: string | undefined
  constructor(file: string, problem: ContractProblem, hint: string) {
    super(30, problemLine(file, problem), hint)
    this.file = file
    this.pointer = problem.pointer
  }
}

function problemLine(file: string, { pointer, place, what, found, allowed, nearest }: ContractProblem): string {
  const subject = shownPath(file) + (place ? `:${place}` : '') + (pointer ? ` ${formatExcerpt(pointer, 100)}` : '')
  const guess = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return `${subject}: ${what}, found ${formatExcerpt(found, 80)}, allowed: ${allowed}.${guess}`
}

/** The end of a long path tells more than its beginning. */
function shownPath(file: string): string {
  const line = toPrintable(file)
  return line === '' ? '""' : line.length > 100 ? `…${line.slice(-99)}` : line
}

/** A key that nobody would write is not taken into a pointer: it then names what holds the key. */
export function formatPointer(path: readonly PropertyKey[]): string {
  const steps = path.map(String)
  const long = steps.findIndex((step) => step.length > 200)
  const kept = long < 0 ? steps : steps.slice(0, long)
  return kept.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** A value of a file in a few words; what is long is cut before anything else looks at it. */
export function spell(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 200))
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : value === null ? 'null' : 'an object'
}

type More = {
  readonly hint?: string | undefined
  /** Where in the run input or the plan. */
  readonly pointer?: string | undefined
  /** For programs, where it says more than the reason. */
  readonly code?: string | undefined
}

/** Something keeps a delivery from going on, in the words of the contract. The exit code follows from the reason. */
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
