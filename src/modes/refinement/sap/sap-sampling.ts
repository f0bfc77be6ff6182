import type { SapLine } from './sap-line.ts'

// Seed 001: "if >100 entries/run, log every 5th after the first 20".
const maxUnsampled = 100
const keptAtStart = 20
const every = 5

type Counted = Pick<SapLine, 'line' | 'event' | 'outcome'>

/** Nobody knows yet how long the run becomes, so its first 100 lines are all written. */
export const isWritten = (line: Counted): boolean =>
  line.line <= maxUnsampled || line.line % every === 0 || isVital(line)

/** Removes lines 21 to 100 of runs that turned out to be longer. Lines of other programs stay. */
export function thinOut(texts: readonly string[]): string[] {
  const parsed = texts.map((text) => [text, parseLine(text)] as const)
  const longRuns = new Set(parsed.flatMap(([, line]) => (line && line.line > maxUnsampled ? [line.run_id] : [])))
  const stays = (line: SapLine): boolean => line.line <= keptAtStart || line.line % every === 0 || isVital(line)
  return parsed.flatMap(([text, line]) => (!line || !longRuns.has(line.run_id) || stays(line) ? [text] : []))
}

/** Undefined if another program wrote it. */
export function parseLine(text: string): SapLine | undefined {
  try {
    const line = JSON.parse(text) as Partial<SapLine> | null
    const isOurs = typeof line?.run_id === 'string' && Number.isInteger(line.line) && Number.isInteger(line.seq)
    return isOurs ? (line as SapLine) : undefined
  } catch {
    return undefined
  }
}

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
