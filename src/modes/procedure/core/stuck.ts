import type { ProcedureMemo } from './memo.ts'

const mostIdle = 2
const mostRepeats = 5
const mostTurns = 6

/** Iterations that lead nowhere, by name; undefined while there is hope. */
export function stuckBy({ idle, idleBy, marks }: Pick<ProcedureMemo, 'idle' | 'idleBy' | 'marks'>): string | undefined {
  if (idle >= mostIdle) {
    return idleBy === 'denied'
      ? `stuck: the agent was denied permission in ${idle} iterations in a row`
      : `stuck: ${idle} iterations in a row changed nothing`
  }
  const repeats = marks.slice(-mostRepeats)
  if (repeats.length === mostRepeats && repeats[0] !== 'ok' && new Set(repeats).size === 1) {
    return `stuck: the same failure ${mostRepeats} times in a row`
  }
  return alternates(marks.slice(-mostTurns)) ? `stuck: ${mostTurns} iterations went back and forth` : undefined
}

const alternates = (marks: readonly string[]): boolean =>
  marks.length === mostTurns && new Set(marks).size === 2 && marks.every((mark, i) => mark === marks[i % 2])
