/** The process that owns a run. Enough to tell a live owner from a dead one, even after a reboot. */
export type Owner = {
  readonly host: string
  readonly bootId: string
  readonly pid: number
  /** Start time of that process as the system reports it, so that a reused pid is not mistaken for the owner. */
  readonly pidStart: string
  /** The PID namespace in which `pid` has its meaning, such as a container's. Absent where the system has none. */
  readonly pidNamespace?: string | undefined
  readonly owner: string
  readonly epoch: number
  readonly since: string
  /** The name of the run that holds a lock on a folder. */
  readonly by?: string | undefined
}

export class RunOwnedError extends Error {
  override name = 'RunOwnedError'
  readonly owner: Owner | undefined
  /** True if nobody can tell from here whether the owner is alive: it is on another machine or in another container. */
  readonly isUncertain: boolean
  constructor(message: string, owner?: Owner, isUncertain = false) {
    super(message)
    this.owner = owner
    this.isUncertain = isUncertain
  }
}

export type Lease = {
  readonly epoch: number
  /** Contract: throws StaleWriterError once another process has taken over the run. */
  check(): void
  release(): void
}
