/** A line of `agent_logs/sap.log`: fields of any type, named as in the file. */
export type LogRow = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is LogRow => typeof value === 'object' && value !== null && !Array.isArray(value)

export const readRows = (log: readonly unknown[]): readonly LogRow[] => log.filter(isRow)

/** A field as text; empty if it has no value. */
export function readField(row: LogRow | undefined, name: string): string {
  const value = row?.[name]
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** The newest value of a field. */
export const findLast = (rows: readonly LogRow[], name: string): string =>
  readField(
    rows.findLast((row) => readField(row, name) !== ''),
    name,
  )
