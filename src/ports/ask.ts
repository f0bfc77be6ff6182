/**
 * Asks the person who starts a run a question before the run exists: "resume, fresh or cancel?". A run that has started asks
 * through its journal and is answered with a note. Contract: undefined if there is no answer or no way to ask (no terminal,
 * `--json`, a queue); the caller then refuses with its own error.
 */
export type Ask = <Choice extends string>(question: string, choices: readonly Choice[]) => Promise<Choice | undefined>
