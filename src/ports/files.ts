/** Small state and output files. Synchronous, because each call takes less than a millisecond. */
export type Files = {
  /**
   * Contract: refuses a symlink as the last path segment, never blocks on a pipe, refuses files over `maxBytes`. Throws with
   * the system's error code.
   */
  read(path: string, maxBytes: number): string
  /** Contract: atomic and private to the user; with `synced` it also survives power loss. Throws. */
  write(path: string, text: string | Uint8Array, options?: { readonly synced?: boolean }): void
  /** Creates a folder and its missing parents, private to the user. */
  makeFolder(path: string): void
  /** Contract: succeeds if the file does not exist. */
  remove(path: string): void
  rename(from: string, to: string): void
}
