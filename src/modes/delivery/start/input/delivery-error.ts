import { PawlError } from '../../../../contract/exit.ts'
import { type Reason, reasonExits } from '../../contract/result.ts'

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
