/** Small files that this program keeps for itself or that others read: whole or absent. Sync, since each takes less than a millisecond. */
export type Files = {
  /** Contract: follows no link in the last step, waits for no pipe, refuses what has more bytes than `most`. Throws with the system's code. */
  read(path: string, most: number): string
  /** Contract: whole or absent under `path`, private to the user; with `synced` also after power loss. Throws. */
  write(path: string, text: string | Uint8Array, options?: { readonly synced?: boolean }): void
  /** Creates a folder and those above it, private to the user. */
  makeFolder(path: string): void
  /** Contract: something that is not there is removed already. */
  remove(path: string): void
  rename(from: string, to: string): void
}
