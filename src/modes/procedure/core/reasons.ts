import { z } from 'zod'
import { chooseCapExit, defaultReasons } from '../../../show/reasons.ts'
import type { Reasons } from '../../../show/show.ts'
import { verdictData } from './event-data.ts'
import type { ProcedureMemo } from './memo.ts'

/** Ways in which iterations make no progress. */
export const stuckKinds = ['unchanged', 'denied', 'repeated', 'alternating'] as const
export type StuckKind = (typeof stuckKinds)[number]

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
    exit: ({ state }) => {
      const reason = state.ended?.reason ?? { code: 'cap_spent' }
      if (reason.cap !== 'failuresInARow') return chooseCapExit(reason)
      // An agent's failure may be temporary; a failing gate needs a fix.
      return verdictData(state.verdict).by === 'agent' ? 20 : 30
    },
  },
  gates_green: { fields: {}, exit: 0, text: 'gates green' },
  promise_kept: { fields: {}, exit: 0, text: 'promise kept, gates green' },
  max_iterations: { fields: { iterations: z.number() }, exit: 30, text: 'reached max iterations' },
  stuck: {
    fields: Stuck.shape,
    exit: 30,
    text: (reason) => {
      const { data } = Stuck.safeParse(reason)
      return data ? stuckTexts[data.by](data.count) : 'stuck'
    },
  },
  agent_blocked: { fields: {}, exit: 10, text: 'the agent says that it is blocked' },
  not_logged_in: { fields: {}, exit: 10, text: 'the agent is not logged in' },
  prompt_unreadable: { fields: {}, exit: 30, text: 'a prompt file cannot be read' },
  command_unavailable: { ...defaultReasons.command_unavailable, text: 'a gate could not be run' },
}
