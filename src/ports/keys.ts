/** Seals the content of runs. 32 bytes; each run gets a key of its own from them. */
export type SealingKey = {
  readonly secret: Uint8Array
  /** Tells a person who has another key now what to do. */
  readonly restore: string
}

/** Secrets of this person. Both functions give the same on every machine that has the key. */
export type Keys = {
  readonly content: SealingKey
  /** Tells a text that was there before, without telling the text. */
  markOf(text: string): string
  /** Stands for a person where others may read. */
  pseudonymOf(text: string): string
}
