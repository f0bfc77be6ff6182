/**
 * Asks whoever starts a run, before there is one: "resume, fresh or cancel?". Questions of a running run are notes.
 * Contract: undefined where nobody can be asked (no terminal, `--json`, a queue) or nobody answers; the rule then refuses with its own error.
 */
export type Ask = <Choice extends string>(question: string, choices: readonly Choice[]) => Promise<Choice | undefined>
