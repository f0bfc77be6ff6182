import type { ConfigShape } from '../contract/config/shape.ts'
import type { FrozenAgent } from '../contract/envelope.ts'
import type { Rung } from '../contract/models.ts'
import type { ProgramName } from '../contract/programs.ts'
import type { Progress } from '../contract/progress.ts'
import type { Ref } from '../contract/values.ts'
import type { Agent, TranscriptReader } from '../ports/agent.ts'
import type { Artifacts } from '../ports/artifacts.ts'
import type { Clock } from '../ports/clock.ts'
import type { Files } from '../ports/files.ts'
import type { Keys } from '../ports/keys.ts'
import type { Model } from '../ports/model.ts'
import type { PathCommits } from '../ports/path-commits.ts'
import type { Queue } from '../ports/queue.ts'
import type { Repository } from '../ports/repository.ts'
import type { NoRoom, Room, RoomOptions } from '../ports/room.ts'
import type { RunStore } from '../ports/run-store.ts'
import type { Shell } from '../ports/shell.ts'
import type { Clone, CloneSource, Snapshots } from '../ports/snapshots.ts'

/** The environment of this process. `program` is the name it was started by; `cwd` is the workspace. */
export type Environment = {
  readonly program: ProgramName
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Folder in the workspace for configuration, state and runs: `.pawl`. */
  readonly folder: string
  /** Folder for the user's state on this machine: index, trust, keys. */
  readonly stateFolder: string
}

/** Access to this machine, made from adapters in `machine/`. Not bound to a run. Adapters are loaded on first use. */
export type Machine = {
  readonly environment: Environment
  /** The runs of this machine. `withAllRuns` adds those of the database. */
  readonly store: RunStore
  /** Set if PAWL_DATABASE_URL is. */
  readonly database?: Database | undefined
  /** Creates a queue of this process alone. */
  createQueue(): Queue
  readonly clock: Clock
  readonly files: Files
  /** All config keys: the shared ones and those of the modes. */
  configShape(): Promise<ConfigShape>
  /** Finds a program on the PATH, like a shell. */
  findProgram(name: string, cwd: string): string | undefined
  readonly git: Git
  readonly agents: Agents
  readonly models: Models
  estimateTokens(text: string): number
  /** Throws a PawlError if there is no key and `make` is false. */
  keys(options: { readonly make: boolean }): Keys
  /** A cache shared by all runs of this user: calibrations of judges, usage limits of agents. Putting `undefined` deletes. */
  readonly shared: {
    get(kind: SharedKind, id: string): Promise<unknown>
    put(kind: SharedKind, id: string, value: unknown): Promise<void>
  }
  /** Writes the output text of a run to a file. */
  readonly place: PlaceText
  /** Runs a synchronous action in one process at a time. A dead holder does not block. Throws RunOwnedError after 5 s. `folder` is in `stateFolder`. */
  withLock<Result>(folder: string, action: () => Result): Result
  /** Returns a function that removes known secrets from a complete text. */
  createMask(secrets: readonly string[]): (text: string) => string
  openShell(options: ShellOptions): Promise<RunShell>
  /** Makes or opens the clean room of a run, and tries it. */
  openRoom(options: RoomOptions, snapshots: Snapshots): Promise<Room | NoRoom>
  /**
   * Starts this program in a process that outlives the terminal. `ended` resolves with its exit code, or null if a signal
   * ended it.
   */
  startDetached(command: DetachedCommand): Promise<{ readonly pid: number; readonly ended: Promise<number | null> }>
  isAlive(pid: number): boolean
  /** Returns whether this program itself is installed in a folder, where its agents could change it. */
  isInstalledIn(folder: string): boolean
}

/** A database that several machines share: its runs, and the queue of those that workers execute. */
export type Database = { readonly store: RunStore; readonly queue: Queue; close(): Promise<void> }

export type SharedKind = 'calibrations' | 'limits'

export type Git = {
  openRepository(folder: string): Repository
  /** Snapshots never include `ownFolders`. */
  openSnapshots(folder: string, ownFolders: readonly string[]): Promise<Snapshots>
  /** Clones a repository into a temporary folder, for one run. Rejects with RepositoryBlockedError. */
  openClone(source: CloneSource, run: string): Promise<Clone>
  /** The URL of the remote `origin` and the commit of HEAD, as far as there are any. */
  findOrigin(folder: string): Promise<{ readonly url?: string | undefined; readonly commit?: string | undefined }>
  /** Rejects with RepositoryBlockedError if the folder is in no repository. */
  openPathCommits(folder: string): Promise<PathCommits>
  /** Makes a folder that exists a repository without a commit, on the branch main. One that is there stays as it is. */
  createRepository(folder: string): Promise<void>
  /** Returns the root of the work tree that contains a folder. */
  findWorkTree(folder: string): string | undefined
  /** Returns the git directory of this work tree. */
  findGitFolder(folder: string): string | undefined
  /** The branch that is checked out; null if HEAD is detached. */
  findBranch(folder: string): Promise<string | null>
  hasBranch(folder: string, branch: string): Promise<boolean>
  /** Tells whether a run with this id has saved stories under `refs/pawl`. */
  hasRunRefs(folder: string, run: string): Promise<boolean>
  /** Rejects with RepositoryBlockedError if git has no author to commit with. */
  checkAuthor(folder: string, author: { readonly name: string; readonly email: string } | undefined): Promise<void>
}

/** The configured agent. `command` overrides `agent`. */
export type AgentChoice = {
  readonly command?: string | undefined
  readonly agent?: string | undefined
  readonly model?: string | undefined
  readonly script?: string | undefined
}

export type AgentTools = {
  readonly shell: RunShell
  readonly content: Pick<Artifacts, 'adopt'>
  environmentFor(allow?: readonly string[]): Record<string, string>
  /** Timeout without any output. */
  readonly silenceMs?: number | undefined
}

export type Agents = {
  /** Names of the built-in agents. */
  readonly names: readonly string[]
  /** Returns the command to store in the request. Throws a PawlError if there is no such agent. */
  choose(choice: AgentChoice): FrozenAgent
  /** Whether the agent reports its cost; undefined: unknown. */
  reportsCost(name: string): boolean | undefined
  /** Contract: starts no process before `run` is called. All runs of this user share the usage limits of the agent's account. */
  open(agent: FrozenAgent, tools: AgentTools): Agent
  /** Reads the saved output of the agent of this name. */
  openTranscript(name: string): Promise<TranscriptReader>
  /** Forgets a recorded usage limit of this agent's account. */
  forgetLimit(name: string): Promise<void>
}

export type ModelProbe = {
  readonly ok: boolean
  readonly says: string
  readonly hint?: string | undefined
  /** A server answers at that address, but not as expected. */
  readonly answers?: boolean | undefined
}

export type Models = {
  /** Models by id: `ollama`, `grok`, `claude`. */
  readonly known: Readonly<Record<string, Rung>>
  /** Contract: loads, reads and starts nothing before the first call. */
  open(rung: Rung, tools: { readonly run: string; readonly shell: Shell; readonly now: () => number }): Model
  /** Wraps a model that a caller of the library wrote, so that it keeps the contract of a model whatever it does. */
  guard(model: Model, rung: Rung): Model
  /** Checks within 3 s whether the model would answer, without sending any user data. Never rejects. */
  probe(rung: Rung, signal: AbortSignal): Promise<ModelProbe>
  /** True if nothing sent to this model leaves the machine. */
  isLocal(rung: Rung): boolean
  /** Returns why a call would fail, such as an invalid address; undefined if no problem is known. */
  problem(rung: Rung): { readonly fault: 'login' | 'address'; readonly says: string } | undefined
}

/**
 * Contract: writes are atomic and never overwrite a file that changed meanwhile; a killed write does not block the next one. Throws with
 * the system's error code.
 */
export type PlaceText = {
  /** Creates a file that must not exist yet. */
  create(path: string, text: string, run: string): 'written' | 'there already'
  /** Replaces a file whose content has this hash. Keeps its line endings, byte order mark and permissions. */
  replace(
    path: string,
    sha256: string,
    text: string,
    run: string,
  ): 'written' | 'unchanged' | 'there already' | 'changed since'
  /** Writes exactly these bytes over a file whose content has this hash. null: creates the file, which must not exist. */
  put(
    path: string,
    sha256: string | null,
    bytes: Uint8Array,
    run: string,
  ): 'written' | 'there already' | 'changed since'
}

export type ShellOptions = {
  readonly workspace: string
  /** The run's folder. Commands may write only to its subfolder `hand-over`. */
  readonly folder: string
  readonly sandbox: 'auto' | 'required' | 'off'
  /** Values to mask in stored output. */
  readonly secrets: readonly string[]
  /** Kills running processes immediately. */
  readonly kill: AbortSignal
  /** Agents that may write to their own state folders. */
  readonly agents: readonly FrozenAgent[]
  /** Marks the processes of one run. Unique even for two runs with the same name. */
  readonly mark: string
  /** Commands may write anywhere the user may. For the user's own commands. */
  readonly unconfined?: boolean
  /** For commands in a clean room: they may write to the workspace, which is not the real one there, and to caches. */
  readonly inRoom?: boolean
  /** Shorter timeouts between INT, TERM and KILL. */
  readonly impatient?: boolean
}
export type RunShell = Shell & {
  /** Returns how commands are sandboxed. Detected on the first call. */
  confinement(): Promise<'bubblewrap' | 'none'>
}

export type DetachedCommand = {
  /** Arguments, without the program itself. */
  readonly words: readonly string[]
  readonly log: string
  readonly add: Readonly<Record<string, string>>
}

/** The tools of one run's work: the machine, plus what is bound to the run and ends with it. */
export type RunTools = Machine & {
  readonly shell: RunShell
  /** For commands in a clean room. */
  readonly roomShell: RunShell
  /** The work tree on this machine. Use it instead of the request's path, which may be from another machine. */
  readonly workspace: string
  /** See `HeldRun.folder`. */
  readonly folder: string
  /** Decrypted. `put` and `adopt` return undefined if a best-effort run cannot save the content. */
  readonly content: Artifacts
  /** Values of this run to mask. */
  readonly secrets: readonly string[]
  /** See `HeldRun.file`. */
  file(ref: Ref): Promise<string>
  /** Returns the environment of the run's processes; `allow` adds variables. */
  environmentFor(allow?: readonly string[]): Record<string, string>
  openAgent(agent: FrozenAgent, options: { readonly silenceMs?: number | undefined }): Agent
  /** Identifies the turn in the queue, if a worker executes the run. */
  readonly job?: string | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly onNotice: (text: string) => void
}

/** Returns the same machine with another workspace. */
export const machineAt = (machine: Machine, cwd: string): Machine => ({
  ...machine,
  environment: { ...machine.environment, cwd },
})
