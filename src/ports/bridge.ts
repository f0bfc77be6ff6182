/**
 * Output of the bridge to Agent Client Protocol agents: one event per line, as JSON. It is a port because two adapters
 * share it: the bridge writes these events and the agent reader parses them.
 */
export type BridgeEvent =
  /** The next chunk of a message or a thought. */
  | { readonly type: 'text' | 'thought'; readonly text: string }
  /** `about` is a file or a command. */
  | { readonly type: 'tool'; readonly title: string; readonly about?: string | undefined }
  /** The result of the tool call that ended last. */
  | { readonly type: 'result'; readonly text: string; readonly failed?: true | undefined }
  | { readonly type: 'denied'; readonly title: string; readonly about?: string | undefined }
  /** Total of the session so far; `null` if the agent does not report it. */
  | { readonly type: 'usage'; readonly tokens: number | null; readonly costUsd: number | null }
  | { readonly type: 'end'; readonly reason: string }
  /** `code` is the JSON-RPC error code, if the agent itself returned an error. */
  | { readonly type: 'error'; readonly message: string; readonly code?: number | undefined }
