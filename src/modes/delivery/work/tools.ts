import { join } from 'node:path'
import type { Progress } from '../../../contract/progress.ts'
import type { Ref } from '../../../contract/values.ts'
import type { Attempt } from '../../../kernel/run.ts'
import type { Agent } from '../../../ports/agent.ts'
import type { Artifacts } from '../../../ports/artifacts.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { Room } from '../../../ports/room.ts'
import type { Shell } from '../../../ports/shell.ts'
import type { Snapshots } from '../../../ports/snapshots.ts'
import type { Plan } from '../contract/plan.ts'
import type { FindTouched } from './touched.ts'

/** All side effects that the work of a delivery may have. */
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
  /** For files that processes write: logs, and results of agents. */
  readonly folder: string
  /** Returns the path of a file with this content. */
  readonly file: (ref: Ref) => Promise<string>
  /** True if the work tree has something at this path. */
  readonly exists: (path: string) => boolean
  /** The clean room that commands run in, and the shell for it. Without one they run in the work tree. */
  readonly room?: Room | undefined
  readonly roomShell: Shell
  /** Finds what a story touched of the files that decide verification. */
  readonly findTouched: FindTouched
  /** Returns the text of a file that commands wrote; undefined if there is none, or if it is very large. */
  readonly readFile: (path: string) => string | undefined
  /** Fingerprints of untracked files that decide verification, by path. */
  readonly watch: (commands: readonly string[]) => Promise<Readonly<Record<string, string>>>
  /** Returns a program that the command needs, that is not installed and that no agent could add. */
  readonly missingProgram: (command: string) => string | undefined
  /** Removes known secrets from text for people. */
  readonly mask: (text: string) => string
  /** Writes a page for people into the run's folder. Failures are ignored: nothing depends on it. */
  readonly writePage: (path: string, text: string) => void
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** Returns the files that the agent of an attempt writes. */
export const nameAgentFiles = (folder: string, { task, attempt }: Pick<Attempt, 'task' | 'attempt'>) => ({
  log: join(folder, 'attempts', `${task.id}-attempt-${attempt}-agent.log`),
  resultFile: join(folder, 'hand-over', `${task.id}-attempt-${attempt}.json`),
})
