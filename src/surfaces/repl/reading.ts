import type { Look, Text } from '../terminal/styled.ts'

/** What a person entered. `interrupted`: Ctrl-C twice. `ended`: Ctrl-D, or the input has ended. */
export type Input =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'interrupted' }
  | { readonly is: 'ended' }

/** A read in progress. */
export type Reading = {
  readonly input: Promise<Input>
  /** Prints a line above the prompt. */
  notify(line: Text, look?: Look): void
  /** Ends the read with `ended`. */
  close(): void
}
