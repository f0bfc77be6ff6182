/** One supervised process. Nothing is inherited: `env` is the complete environment. */
export type Command = {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Prompts are passed here, never on the command line. */
  readonly stdin?: { readonly path: string } | { readonly text: string } | undefined
  /** File for stdout and stderr: masked, truncated at `logCap` bytes, created with the first byte. Without it nothing is written. */
  readonly log?: string | undefined
  readonly logCap?: number | undefined
  readonly wallMs?: number | undefined
  readonly silenceMs?: number | undefined
  /** Marks all descendants, so that they can be found after a crash. One name per run. */
  readonly scope: string
  /** The command sees other files at this folder. */
  readonly place?: Place | undefined
  readonly onOutput?: ((stream: 'stdout' | 'stderr', text: string) => void) | undefined
}

/** Files that a command sees at the folder `at`. What is there really, it can neither see nor change. Made by a `Room`. */
export type Place = {
  readonly at: string
  /** Undefined: the files are really there, in a folder for this use alone. */
  readonly mounts?: Mounts | undefined
}

export type Mounts = {
  readonly files: Overlay
  /** An empty folder, for the mount. */
  readonly mount: string
  /** git's objects. They are at `.git/base` in the place, read-only. */
  readonly objects: string
  /** Folders of the user that commands may write. What they write is thrown away. */
  readonly caches: readonly (Overlay & { readonly at: string })[]
  /** A word that nobody else knows: it is printed with `noPlace`. */
  readonly word: string
}

export type Overlay = {
  /** The first lies on top. Never changed. */
  readonly layers: readonly string[]
  /** Lies over the layers, and takes what the command writes. */
  readonly upper: string
  /** An empty folder beside `upper`, for the mount. */
  readonly work: string
  /** A file with paths that are in a layer and not in the place, each ended by a NUL. `<gone>.folders` has those above them. */
  readonly gone: string
}

/** A command that printed this and the word of its mounts was not started, because its place could not be mounted. */
export const noPlace = 'pawl: cannot mount the clean room'

export type Exit = {
  readonly status: 'exited' | 'timed-out' | 'silent' | 'stopped' | 'not-started'
  readonly code: number | null
  readonly signal: string | null
  readonly durationMs: number
  /** The end of each stream: masked, at most 64 KiB. */
  readonly stdoutTail: string
  readonly stderrTail: string
  readonly outputBytes: number
  readonly truncated: boolean
  /** Number of descendants that were still running after the command exited and had to be ended. */
  readonly leftovers: number
  readonly detail?: string | undefined
  /** Not started because the machine ran out of a resource. Worth a retry; not a failure of the command. */
  readonly exhausted?: true | undefined
}

export type Shell = {
  /**
   * Contract: never rejects because of the process; resolves when the process and all descendants it can find have
   * ended. An abort sends INT, then TERM, then KILL.
   */
  run(command: Command, signal: AbortSignal): Promise<Exit>
  /** Ends processes that an earlier owner left running under this scope. Returns how many. */
  endLeftovers(scope: string): Promise<number>
}
