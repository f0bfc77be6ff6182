import type { SapRunPayload } from '../../../src/contract/web.ts'
import { type Look, lookOf } from '../standing.ts'
import { findLast, readRows } from './log-rows.ts'

/** The states of the seeds, in their order. A run may skip some. */
const states = ['Pending', 'Paused', 'Resumed', 'Completed'] as const
const ended = states[3]

/** The state of the run, in the words of its log. */
export function readState({ run: { row }, log }: SapRunPayload): string {
  if (row.standing === 'completed') return ended
  if (row.standing === 'waiting' && row.waits?.for === 'resume') return 'Paused'
  const last = findLast(readRows(log), 'state')
  return last === '' ? states[0] : last
}

/** All states; one that is none of the four, such as Aborted, stands at the end in place of Completed. */
export const listStates = (state: string): readonly string[] =>
  states.some((one) => one === state) ? states : [...states.slice(0, 3), state]

const withStates: readonly string[] = ['running', 'waiting', 'completed', 'failed']

/** The state as a chip. How the run stands, if its process ended without a state. */
export function lookOfState(data: SapRunPayload): Look {
  const look = lookOf(data.run.row)
  return withStates.includes(data.run.row.standing) ? { ...look, word: readState(data) } : look
}

const over: readonly string[] = ['completed', 'failed', 'cancelled', 'damaged']

export const isOver = ({ run: { row } }: SapRunPayload): boolean => over.includes(row.standing)
