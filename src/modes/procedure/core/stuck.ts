import type { ProcedureMemo } from './memo.ts'
import type { StuckKind } from './reasons.ts'

const mostIdle = 2
const mostRepeats = 5
const mostTurns = 6

/** How iterations lead nowhere, and in how many of them; undefined while there is hope. */
export function findStuck({
  idle,
  idleBy,
  marks,
}: Pick<ProcedureMemo, 'idle' | 'idleBy' | 'marks'>): { by: StuckKind; count: number } | undefined {
  if (idle >= mostIdle) return { by: idleBy ?? 'unchanged', count: idle }
  const repeats = marks.slice(-mostRepeats)
  if (repeats.length === mostRepeats && repeats[0] !== 'ok' && new Set(repeats).size === 1) {
    return { by: 'repeated', count: mostRepeats }
  }
  return alternates(marks.slice(-mostTurns)) ? { by: 'alternating', count: mostTurns } : undefined
}

const alternates = (marks: readonly string[]): boolean =>
  marks.length === mostTurns && new Set(marks).size === 2 && marks.every((mark, i) => mark === marks[i % 2])
