import type { ConfigShape } from '../contract/config/shape.ts'
import type { FrozenAgent } from '../contract/envelope.ts'
import type { Rung } from '../contract/models.ts'
import type { ProgramName } from '../contract/programs.ts'
import type { Progress } from '../contract/progress.ts'
import type { Ref } from '../contract/values.ts'
import type { Agent } from '../ports/agent.ts'
import type { Artifacts } from '../ports/artifacts.ts'
import type { Clock } from '../ports/clock.ts'
import type { Files } from '../ports/files.ts'
import type { Keys } from '../ports/keys.ts'
import type { Model } from '../ports/model.ts'
import type { Repository } from '../ports/repository.ts'
import type { RunStore } from '../ports/run-store.ts'
import type { Shell } from '../ports/shell.ts'
import type { Snapshots } from '../ports/snapshots.ts'

/** Who asks, and from where. `program` is the name that it was called by; `cwd` is the workspace. */
export type Environment = {
  readonly program: ProgramName
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Configuration, state and runs of this program in the workspace: `.pawl`. */
  readonly folder: string
  /** What this person keeps on this machine: index, trust, keys. */
  readonly stateFolder: string
}

/** What this machine can do. `machine/` makes it out of adapters; nothing in it belongs to one run, and nothing is loaded before it is used. */
export type Machine = {
  readonly environment: Environment
  readonly store: RunStore
  readonly clock: Clock
  readonly files: Files
  /** Every key that a configuration may have here: the shared ones and those of the modes. */
  configShape(): Promise<ConfigShape>
  /** The path of a program as a shell would find it, or undefined. */
  findProgram(name: string, cwd: string): string | undefined
  /** A short question to a program on this machine. Contract: answers within 5 s, whatever the program does. */
  askProgram(argv: readonly [string, ...string[]], options?: { readonly cwd?: string }): Promise<ProgramAnswer>
  readonly git: Git
  readonly agents: Agents
  readonly models: Models
  estimateTokens(text: string): number
  /** Throws a PawlError where there is no key and none may be made. */
  keys(options: { readonly make: boolean }): Keys
  /** What all runs of this person share and may lose: calibrations of judges, usage limits of agents. `undefined` forgets. */
  readonly shared: {
    get(kind: SharedKind, id: string): Promise<unknown>
    put(kind: SharedKind, id: string, value: unknown): Promise<void>
  }
  /** Writes a text into the file that was named for it. */
  readonly place: PlaceText
  /** One process at a time, sync; one that died in there holds nobody up. Throws RunOwnedError after 5 s. `folder` lies in `stateFolder`. */
  withLock<Result>(folder: string, action: () => Result): Result
  /** Takes known secrets out of whole texts. */
  createMask(secrets: readonly string[]): (text: string) => string
  openShell(options: ShellOptions): Promise<RunShell>
  /** The same program in a process that survives this terminal. Resolves with its pid. */
  startDetached(command: DetachedCommand): Promise<number>
  isAlive(pid: number): boolean
}

export type SharedKind = 'calibrations' | 'limits'
export type ProgramAnswer = {
  readonly status: 'answered' | 'refused' | 'silent' | 'missing'
  /** Standard output, at most its last 64 KiB, without secrets. */
  readonly text: string
  /** One line about what went wrong. */
  readonly problem: string
}

export type Git = {
  openRepository(folder: string): Repository
  /** `ownFolders` are left out of every tree. */
  openSnapshots(folder: string, ownFolders: readonly string[]): Promise<Snapshots>
  /** The root of the work tree that a folder lies in. */
  findWorkTree(folder: string): string | undefined
  /** The folder where git keeps what belongs to this work tree. */
  findGitFolder(folder: string): string | undefined
  /** The branch that is checked out; null if HEAD is detached. */
  findBranch(folder: string): Promise<string | null>
  hasBranch(folder: string, branch: string): Promise<boolean>
  /** Rejects with RepositoryBlockedError where nobody is known who could commit. */
  checkAuthor(folder: string, author: { readonly name: string; readonly email: string } | undefined): Promise<void>
}

/** What a person said about the agent; the command wins where both are given. */
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
  /** The longest time without any output. */
  readonly silenceMs?: number | undefined
}

export type Agents = {
  /** Agents that are known by name. */
  readonly names: readonly string[]
  /** The command that a run is frozen with. Throws a PawlError where there is none of that name. */
  choose(choice: AgentChoice): FrozenAgent
  /** Whether the agent reports what it spends; undefined: this cannot be known of it. */
  reportsCost(name: string): boolean | undefined
  /** Contract: starts nothing before `run` is called. Limits of the agent's account are shared by all runs of this person. */
  open(agent: FrozenAgent, tools: AgentTools): Agent
  /** Forgets a usage limit that is known of this agent's account. */
  forgetLimit(name: string): Promise<void>
}

export type ModelProbe = {
  readonly ok: boolean
  readonly says: string
  readonly hint?: string | undefined
  /** Somebody answers there, though not as wanted. */
  readonly answers?: boolean | undefined
}

export type Models = {
  /** Models by id: `ollama`, `grok`, `claude`. */
  readonly known: Readonly<Record<string, Rung>>
  /** Contract: nothing is loaded, read or started before it is called. */
  open(rung: Rung, tools: { readonly run: string; readonly shell: Shell; readonly now: () => number }): Model
  /** Whether it would answer, within 3 s and without sending anything of a person's. Never rejects. */
  probe(rung: Rung, signal: AbortSignal): Promise<ModelProbe>
  /** Whether nothing that is sent to it leaves this machine. */
  isLocal(rung: Rung): boolean
  /** Why no call to it could be made, such as an address that is none; undefined: nothing is known against it. */
  problem(rung: Rung): { readonly fault: 'login' | 'address'; readonly says: string } | undefined
}

/** Contract: whole or not at all, never over a file that is not what it was; a kill in between leaves nothing in the way. Throws with the system's code. */
export type PlaceText = {
  /** A file that must not be there yet. */
  create(path: string, text: string, run: string): 'written' | 'there already'
  /** In place of a file whose bytes had this hash. Line ends, byte order mark and rights stay as they are. */
  replace(
    path: string,
    sha256: string,
    text: string,
    run: string,
  ): 'written' | 'unchanged' | 'there already' | 'changed since'
}

export type ShellOptions = {
  readonly workspace: string
  /** The run's folder, which its commands may not write save for `hand-over`. */
  readonly folder: string
  readonly sandbox: 'auto' | 'required' | 'off'
  /** Values that are masked wherever output is stored. */
  readonly secrets: readonly string[]
  /** Kills what runs at once. */
  readonly kill: AbortSignal
  /** Agents whose own folders may be written. */
  readonly agents: readonly FrozenAgent[]
  /** Marks the processes of one run; two runs of one name have different marks. */
  readonly mark: string
  /** Commands of the person's own may write wherever the person may. */
  readonly unconfined?: boolean
  /** For commands that nobody waits for: shorter times before they are killed. */
  readonly impatient?: boolean
}
export type RunShell = Shell & {
  /** Whether commands are held to what they may write. Found out when it is first asked. */
  confinement(): Promise<'bubblewrap' | 'none'>
}

export type DetachedCommand = {
  /** Without the program itself. */
  readonly words: readonly string[]
  readonly log: string
  readonly add: Readonly<Record<string, string>>
}

/** What the work of one run is given besides: everything here is bound to the run and ends with it. */
export type RunTools = Machine & {
  readonly shell: RunShell
  /** The work tree on this machine: the request's path, or a clone of it that a worker made. Work never uses the request's. */
  readonly workspace: string
  /** As `HeldRun.folder`. */
  readonly folder: string
  /** Unsealed; `put` and `adopt` give undefined where a best-effort run goes on without what cannot be kept. */
  readonly content: Artifacts
  /** Secrets of this run, to be masked. */
  readonly secrets: readonly string[]
  /** As `HeldRun.file`. */
  file(ref: Ref): Promise<string>
  /** The environment of the run's processes; `allow` names more variables. */
  environmentFor(allow?: readonly string[]): Record<string, string>
  openAgent(agent: FrozenAgent, options: { readonly silenceMs?: number | undefined }): Agent
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly onNotice: (text: string) => void
}

/** The same machine as seen from another workspace. */
export const machineAt = (machine: Machine, cwd: string): Machine => ({
  ...machine,
  environment: { ...machine.environment, cwd },
})
