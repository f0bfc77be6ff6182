import { z } from 'zod'
import type { Reason } from '../../../contract/reasons.ts'
import { chooseCapExit, defaultReasons } from '../../../show/reasons.ts'
import type { Reasons } from '../../../show/show.ts'
import { verdictData } from './event-data.ts'
import type { ProcedureMemo } from './memo.ts'

/** Ways in which iterations make no progress. */
export const stuckKinds = ['unchanged', 'denied', 'repeated', 'alternating'] as const
export type StuckKind = (typeof stuckKinds)[number]

/** The thing that was missing when a bound ended the run: a completed iteration, a gate, a passing last iteration, or the promise. */
const missingKinds = ['iteration', 'gates', 'green', 'promise'] as const
export type Missing = (typeof missingKinds)[number]

const missingTexts: Readonly<Record<Missing, string>> = {
  iteration: 'no iteration was completed',
  gates: 'no gate is configured, so nothing could end the run earlier',
  green: 'the last iteration failed',
  promise: 'all gates passed in the last iteration, but the agent did not promise success',
}

/** Returns what the run lacked. Undefined if it lacked nothing, or if an older version recorded the reason. */
export const findMissing = ({ missing }: Reason): Missing | undefined => missingKinds.find((kind) => kind === missing)

/** Appends what was missing to the text of a reason. */
function addMissing(text: string, reason: Reason): string {
  const missing = findMissing(reason)
  return missing ? `${text}: ${missingTexts[missing]}` : text
}

const stuckTexts: Readonly<Record<StuckKind, (count: number) => string>> = {
  unchanged: (count) => `stuck: ${count} iterations in a row changed nothing`,
  denied: (count) => `stuck: the agent was denied permission in ${count} iterations in a row`,
  repeated: (count) => `stuck: the same failure ${count} times in a row`,
  alternating: (count) => `stuck: ${count} iterations went back and forth`,
}

const Stuck = z.looseObject({ by: z.enum(stuckKinds), count: z.number() })

/** Reasons why a procedure stops, waits or asks. */
export const procedureReasons: Reasons<ProcedureMemo> = {
  ...defaultReasons,
  cap_spent: {
    ...defaultReasons.cap_spent,
    text: (reason) => addMissing(defaultReasons.cap_spent.text(reason), reason),
    exit: ({ state }) => {
      const reason = state.ended?.reason ?? { code: 'cap_spent' }
      if (reason.cap !== 'failuresInARow') return chooseCapExit(reason)
      // An agent's failure may be temporary; a failing gate needs a fix.
      return verdictData(state.verdict).by === 'agent' ? 20 : 30
    },
  },
  gates_green: { fields: {}, exit: 0, text: 'gates green' },
  promise_kept: { fields: {}, exit: 0, text: 'promise kept, gates green' },
  max_iterations: {
    fields: { iterations: z.number(), missing: z.enum(missingKinds).optional() },
    // Interrupted iterations say nothing about the work, so a run of nothing else is safe to run again.
    exit: ({ state }) => (state.ended && findMissing(state.ended.reason) === 'iteration' ? 20 : 30),
    text: (reason) => addMissing('reached max iterations', reason),
  },
  stuck: {
    fields: Stuck.shape,
    exit: 30,
    text: (reason) => {
      const { data } = Stuck.safeParse(reason)
      return data ? stuckTexts[data.by](data.count) : 'stuck'
    },
  },
  agent_blocked: { fields: {}, exit: 10, text: 'the agent says that it is blocked' },
  agent_did_nothing: { fields: {}, exit: 10, text: 'the agent failed before it did any work' },
  not_logged_in: { fields: {}, exit: 10, text: 'the agent is not logged in' },
  prompt_unreadable: { fields: {}, exit: 30, text: 'a prompt file cannot be read' },
  command_unavailable: { ...defaultReasons.command_unavailable, text: 'a gate could not be run' },
}
