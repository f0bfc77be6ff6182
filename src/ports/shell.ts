/** One supervised process. Nothing is inherited: `env` is the whole environment. */
export type Command = {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Prompts go by file or pipe, never on the command line. */
  readonly stdin?: { readonly path: string } | { readonly text: string } | undefined
  /** Both streams, masked, cut at `logCap` bytes. Created with the first byte. Without it nothing is written. */
  readonly log?: string | undefined
  readonly logCap?: number | undefined
  readonly wallMs?: number | undefined
  readonly silenceMs?: number | undefined
  /** Marks every descendant, so that they can be found again after a crash: one name per run. */
  readonly scope: string
  readonly onOutput?: ((stream: 'stdout' | 'stderr', text: string) => void) | undefined
}

export type Exit = {
  readonly status: 'exited' | 'timed-out' | 'silent' | 'stopped' | 'not-started'
  readonly code: number | null
  readonly signal: string | null
  readonly durationMs: number
  /** The last part of each stream, masked, at most 64 KiB. */
  readonly stdoutTail: string
  readonly stderrTail: string
  readonly outputBytes: number
  readonly truncated: boolean
  /** Processes that were still there when the command had ended, and were ended. */
  readonly leftovers: number
  readonly detail?: string | undefined
  /** Not started because the machine has run out of something: worth another try, and nobody's failure. */
  readonly exhausted?: true | undefined
}

export type Shell = {
  /**
   * Contract: never rejects for what the process does; resolves when the process and every descendant it can find
   * are gone. An abort runs the stop ladder: INT, TERM, KILL.
   */
  run(command: Command, signal: AbortSignal): Promise<Exit>
  /** Ends what an earlier process left behind under this scope. Returns how many it ended. */
  endLeftovers(scope: string): Promise<number>
}
