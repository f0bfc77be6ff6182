/** One short command whose output is wanted, such as a git query. Nothing is inherited: `env` is the complete environment. */
export type Question = {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Output limit. More output is an error, unless `beginning` is set. */
  readonly maxBytes: number
  readonly timeoutMs: number
  /** Standard input. Default: empty. */
  readonly input?: Uint8Array
  /** At `maxBytes` the process is killed and the output so far is returned, with `code` null. */
  readonly beginning?: boolean
  readonly signal?: AbortSignal
}

export type Answer =
  | { readonly code: number | null; readonly stdout: Buffer; readonly stderrTail: string }
  /** `cut`: the process had started and was killed. */
  | { readonly problem: string; readonly cut?: true }

/** Contract: never rejects. On a timeout or too much output it kills the process group. */
export type Capture = (question: Question) => Promise<Answer>
