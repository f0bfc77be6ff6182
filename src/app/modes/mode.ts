import type { Progress } from '../../contract/progress.ts'
import type { RunRequest } from '../../contract/request.ts'
import type { Left, Policy } from '../../kernel/policy.ts'
import type { Work } from '../../kernel/run.ts'
import type { Artifacts } from '../../ports/artifacts.ts'
import type { Model } from '../../ports/model.ts'
import type { Shell } from '../../ports/shell.ts'
import type { Place } from '../paths.ts'
import type { Projection } from '../projection.ts'

export type Tools<Request extends RunRequest = RunRequest> = {
  readonly place: Place
  /** What a person has made of the request since the run began. Decisions go by the original and the journal. */
  readonly current: Request
  readonly dir: string
  readonly shell: Shell
  readonly artifacts: Artifacts
  /** Commands are held to what they may write. */
  readonly confined: boolean
  /** Models of whoever calls this as a library, by rung; others are made from what the request says of them. */
  readonly models?: Readonly<Record<string, Model>> | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly onNotice: (text: string) => void
}

/** A memo belongs to its own policy; whoever only drives the loop does not look inside. */
export type Mode = {
  readonly policy: Policy<unknown>
  readonly work: Work<unknown>
  readonly projection: Projection
  /** What `result.json` says once the run has left. */
  readonly resultOf: (left: Left<unknown>, signal: string | undefined) => Readonly<Record<string, unknown>>
}
