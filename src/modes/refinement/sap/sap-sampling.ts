import type { SapLine } from './sap-line.ts'

type Counted = Pick<SapLine, 'line' | 'event' | 'outcome'>

/** A line cannot be withdrawn, so the first hundred are all written; of later ones every fifth. */
export const isWritten = (line: Counted): boolean => line.line <= mostInFull || line.line % every === 0 || isVital(line)

/** What is left of a long run once its day is over. */
const outlastsDay = (line: Counted): boolean => line.line <= keptAtStart || line.line % every === 0 || isVital(line)

/** Of a day's lines, those that are kept: all of short runs, and of runs with more than a hundred the first 20 and every fifth. */
export function compact(texts: readonly string[]): string[] {
  const parsed = texts.map((text) => [text, parse(text)] as const)
  const longRuns = new Set(parsed.flatMap(([, line]) => (line && line.line > mostInFull ? [line.run_id] : [])))
  return parsed.flatMap(([text, line]) => (!line || !longRuns.has(line.run_id) || outlastsDay(line) ? [text] : []))
}

/** A line of ours; others may write here as well. */
export function parse(text: string): SapLine | undefined {
  try {
    const line = JSON.parse(text) as Partial<SapLine> | null
    const ours = typeof line?.run_id === 'string' && typeof line.uuid === 'string'
    return ours && Number.isInteger(line.line) && Number.isInteger(line.seq) ? (line as SapLine) : undefined
  } catch {
    return undefined
  }
}

const mostInFull = 100
const keptAtStart = 20
const every = 5

const vital: ReadonlySet<string> = new Set<SapLine['event']>([
  'start',
  'escalation',
  'pause',
  'resume',
  'error',
  'abort',
  'completion',
])
const isVital = ({ event, outcome }: Counted): boolean => vital.has(event) || (event === 'score' && outcome === 'pass')
