/** The process that owns a run. Enough to tell a live owner from a dead one, even after a reboot. */
export type Owner = {
  readonly host: string
  readonly bootId: string
  readonly pid: number
  /** Start time of that process as the system reports it, so that a reused pid is not mistaken for the owner. */
  readonly pidStart: string
  readonly owner: string
  readonly epoch: number
  readonly since: string
  /** The name of the run that holds a lock on a folder. */
  readonly by?: string | undefined
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
  /** Contract: throws StaleWriterError once another process has taken over the run. */
  check(): void
  release(): void
}
