/**
 * What the bridge to an agent of the Agent Client Protocol prints: one of these a line, as JSON. A port because two
 * adapters meet here, the program that writes it and the reader that understands it.
 */
export type BridgeEvent =
  /** The next piece of a message or of a thought. */
  | { readonly type: 'text' | 'thought'; readonly text: string }
  /** `about` is a file or a command. */
  | { readonly type: 'tool'; readonly title: string; readonly about?: string | undefined }
  | { readonly type: 'denied'; readonly title: string }
  /** Of the whole session up to here; `null` where the agent does not tell. */
  | { readonly type: 'usage'; readonly tokens: number | null; readonly costUsd: number | null }
  | { readonly type: 'end'; readonly reason: string }
  /** `code` is the one of JSON-RPC where the agent itself answered with an error. */
  | { readonly type: 'error'; readonly message: string; readonly code?: number | undefined }
