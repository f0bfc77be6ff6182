/** What modes put into `data` is theirs: whatever is not plainly there is unknown. */
export function recordOf(data: unknown): Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Record<string, unknown>) : {}
}

export const countIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null

/** A detail that only repeats the status says nothing. */
export const withDetail = ({ status, detail }: { status: string; detail?: string | undefined }): string =>
  detail && detail !== status ? `${status}: ${detail}` : status
