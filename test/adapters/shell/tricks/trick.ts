/**
 * A name, a script, and what the machine has to offer for it, as a shell test: where that fails, the trick cannot be
 * done at all, with or without a sandbox, and does not count.
 */
export type Trick = readonly [name: string, script: string, needs?: string]

export const asRoot = '[ "$(id -u)" = 0 ]'

/** For calls to the system by their number. */
export const onIntel = 'command -v perl && [ "$(uname -m)" = x86_64 ]'
