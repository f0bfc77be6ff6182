/** Who owns a run: enough to tell a living owner from a dead one, also after a reboot. */
export type Owner = {
  readonly host: string
  readonly bootId: string
  readonly pid: number
  /** Start time of that pid as the system tells it, so that a reused pid is not mistaken for its predecessor. */
  readonly pidStart: string
  readonly owner: string
  readonly epoch: number
  readonly since: string
}

export class RunOwnedError extends Error {
  override name = 'RunOwnedError'
  readonly owner: Owner | undefined
  constructor(message: string, owner?: Owner) {
    super(message)
    this.owner = owner
  }
}

export type Lease = {
  readonly epoch: number
  /** Contract: throws StaleWriterError as soon as another process has taken the run over. */
  check(): void
  release(): void
}
