/** One short question to a tool of the machine, such as git. `env` is the whole environment. */
export type Question = {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** More output than this is no answer. */
  readonly maxBytes: number
  readonly timeoutMs: number
  /** Otherwise its standard input is empty. */
  readonly input?: Uint8Array
  /** More output than `maxBytes` is left out and the process killed: the answer's `code` is null then. */
  readonly beginning?: boolean
  readonly signal?: AbortSignal
}

export type Answer =
  | { readonly code: number | null; readonly stdout: Buffer; readonly stderrTail: string }
  /** `cut`: it was at work and was killed. */
  | { readonly problem: string; readonly cut?: true }

/** Contract: never rejects; on a timeout or too much output the process and its group are killed. */
export type Capture = (question: Question) => Promise<Answer>
