import type { Usage } from './values.ts'

/**
 * One entry of an agent's conversation, read from its output. Display values only: no decision depends on them. Every text is untrusted
 * and bounded; `…` marks the end of a shortened one. `at` is in milliseconds since the epoch; absent if the agent reports no times.
 */
export type TranscriptEntry = { readonly at?: number | undefined } & Content

type Content =
  /** The agent's words and thoughts. `output` is a line that is no event: a plain command's output, or an agent's stderr. */
  | { readonly kind: 'message' | 'thought' | 'output'; readonly text: string }
  /** `about` is the most telling argument: a path, a command, a pattern. `id` connects a call with its result. */
  | {
      readonly kind: 'tool-call'
      readonly tool: string
      readonly about?: string | undefined
      readonly id?: string | undefined
    }
  | {
      readonly kind: 'tool-result'
      readonly text: string
      readonly failed?: true | undefined
      readonly id?: string | undefined
    }
  /** A tool call that the agent had no permission for. */
  | { readonly kind: 'denied'; readonly tool: string; readonly about?: string | undefined }
  /** An error of the provider or of the agent itself. `retry` is set if the agent tries again on its own. */
  | {
      readonly kind: 'error'
      readonly message: string
      /** The HTTP status of the provider. */
      readonly status?: number | undefined
      readonly retry?: { readonly attempt: number; readonly of?: number | undefined } | undefined
    }
  /** Usage of the attempt so far. */
  | { readonly kind: 'usage'; readonly usage: Usage }

const maxTextLength = 16_000

/** Shortens a text to what one entry may hold. */
export const boundText = (text: string, maxLength = maxTextLength): string =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text

const maxSummaryLength = 200

/** Describes an entry in one line, for live display and reports. Untrusted text: escape it before showing it. */
export function describeEntry(entry: TranscriptEntry): string {
  switch (entry.kind) {
    case 'message':
    case 'thought':
    case 'output':
    case 'tool-result':
      return firstLine(entry.text)
    case 'tool-call':
      return describeTool(entry)
    case 'denied':
      return `denied: ${describeTool(entry)}`
    case 'error':
      return describeError(entry)
    case 'usage':
      return describeUsage(entry.usage)
  }
}

/** "Write src/a.ts" */
export const describeTool = ({ tool, about }: { readonly tool: string; readonly about?: string | undefined }): string =>
  boundText(about ? `${firstLine(tool)} ${firstLine(about)}` : firstLine(tool), maxSummaryLength)

/** "provider error 401: authentication_failed, retry 2 of 10" */
function describeError({ message, status, retry }: Extract<TranscriptEntry, { kind: 'error' }>): string {
  const isProvider = status !== undefined || retry !== undefined
  const what = isProvider ? `provider error${status === undefined ? '' : ` ${status}`}` : 'error'
  const again = retry ? `, retry ${retry.attempt}${retry.of === undefined ? '' : ` of ${retry.of}`}` : ''
  return `${what}: ${firstLine(message) || 'no message'}${again}`
}

function describeUsage({ tokens, costUsd, estimated }: Usage): string {
  const parts = [
    ...(tokens === null ? [] : [`${tokens.toLocaleString('en')} tokens`]),
    ...(costUsd === null ? [] : [`$${costUsd.toFixed(2)}`]),
  ]
  return `${estimated && parts.length > 0 ? '~' : ''}${parts.join(', ') || 'usage unknown'}`
}

/** Returns the first line that is not empty. */
export function firstLine(text: string): string {
  const start = text.slice(0, maxTextLength).trim()
  return boundText(start.split(/\r?\n/, 1)[0]!, maxSummaryLength)
}
