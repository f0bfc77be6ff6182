/** `file` is relative to src. */
export type Violation = { readonly file: string; readonly line: number; readonly reason: string }
