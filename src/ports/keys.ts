/** Encrypts the content of runs. `secret` has 32 bytes; the key of each run is derived from it. */
export type SealingKey = {
  readonly secret: Uint8Array
  /** Instructions for a person whose current key is a different one. */
  readonly restore: string
}

/** The user's secrets. Both functions return the same value on every machine that has the key. */
export type Keys = {
  readonly content: SealingKey
  /** Returns a keyed hash, to recognise a text without revealing it. */
  markOf(text: string): string
  /** Returns a pseudonym for a person, for files that others may read. */
  pseudonymOf(text: string): string
}
