/** What the scripted model does when it is asked; what is asked once too often gets the last one again. */
export type Turn =
  | { readonly do: 'say'; readonly text: string; readonly headers?: Readonly<Record<string, string>> }
  /** Of several calls it makes the first whose tool the agent offers: versions differ in their tools. */
  | { readonly do: 'call'; readonly say: string; readonly tool: ToolCall | readonly ToolCall[] }
  | { readonly do: 'refuse'; readonly text: string }
  | { readonly do: 'cut'; readonly text: string }
  | { readonly do: 'drop' }
  | { readonly do: 'hang' }
  | {
      readonly do: 'fail'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body: object
    }

/** An input in words is for tools that take a program or a patch instead of JSON. */
export type ToolCall = { readonly name: string; readonly input: object | string }

/** Input includes what was cached. Each turn has figures of its own, so that a sum can be told from a last value. */
export type Usage = { readonly turn: number; readonly input: number; readonly cached: number; readonly output: number }

export function usageOf(turn: number): Usage {
  return { turn, input: 1000 + 100 * turn, cached: 400, output: 20 + turn }
}

/** How one vendor's interface reads a request and words an answer, as frames of a stream. */
export type Dialect = {
  readonly path: string
  /** How many tool results the request holds, and the names of the tools it offers. */
  read(body: unknown): { readonly results: number; readonly tools: readonly string[] }
  text(text: string, usage: Usage): string[]
  call(say: string, tool: ToolCall, usage: Usage): string[]
  refusal(text: string, usage: Usage): string[]
  /** An answer of which the rest never comes. */
  beginning(text: string, usage: Usage): string[]
}
