import type { Progress } from '../../../contract/progress.ts'
import type { Ref } from '../../../contract/values.ts'
import type { Agent } from '../../../ports/agent.ts'
import type { Artifacts } from '../../../ports/artifacts.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { Shell } from '../../../ports/shell.ts'
import type { Snapshots } from '../../../ports/snapshots.ts'
import type { Plan } from '../contract/plan.ts'

/** What the work of a delivery is given: all that it can do to the world. */
export type DeliveryTools = {
  readonly agent: Agent
  readonly shell: Shell
  readonly content: Artifacts
  readonly snapshots: Snapshots
  readonly repository: Pick<Repository, 'look' | 'changesSince'>
  readonly plans: ReadonlyMap<string, Plan>
  readonly run: string
  readonly workspace: string
  /** The environment of verification commands. */
  readonly env: Readonly<Record<string, string>>
  /** For what processes are given as files: logs, and what agents hand over. */
  readonly folder: string
  /** A file that holds this content. */
  readonly file: (ref: Ref) => Promise<string>
  /** True if the work tree has something at this path. */
  readonly exists: (path: string) => boolean
  /** Hashes of what decides verification and is not in git's sight, by path. */
  readonly watch: (commands: readonly string[]) => Promise<Readonly<Record<string, string>>>
  /** A program that a command names and that is nowhere to be found, where no agent could put it. */
  readonly missingProgram: (command: string) => string | undefined
  /** Known secrets taken out of a text that is kept for people. */
  readonly mask: (text: string) => string
  /** A page for people, under that path in the run's folder. It may fail to be written: nothing rests on it. */
  readonly writePage: (path: string, text: string) => void
  readonly onProgress?: ((progress: Progress) => void) | undefined
}
