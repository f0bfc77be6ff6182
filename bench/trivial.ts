import type { Outcome, Verdict } from '../src/contract/event.ts'
import type { Policy } from '../src/kernel/policy.ts'
import { snapshotKey } from '../src/kernel/step.ts'
import type { Inbox } from '../src/ports/inbox.ts'

/** A minimal mode: one task per iteration, each passes, until the limit. */
export const trivialPolicy = (tasks: number): Policy<null> => ({
  name: 'procedure',
  version: 1,
  caps: { tasks },
  memo: null,
  fold: () => null,
  pick: ({ state }) => ({ id: `iteration-${state.tasks + 1}`, kind: 'work' }),
  decide: ({ state }) => ({ do: 'settle', as: state.verdict?.status === 'passed' ? 'done' : 'failed' }),
  whenSpent: (cap) => ({
    do: 'stop',
    ending: cap === 'tasks' ? 'completed' : 'failed',
    reason: { code: 'cap_spent', cap },
  }),
})

/** The key of the kernel's snapshots for this policy. */
export const trivialKey = snapshotKey(trivialPolicy(0))

export const trivialWork = {
  attempt: async (): Promise<Outcome> => ({ status: 'ok' }),
  evaluate: async (): Promise<Verdict> => ({ status: 'passed' }),
}

export const silentInbox: Inbox = { take: async () => [], onRing: () => () => {} }

export const neverStop = { soft: new AbortController().signal, hard: new AbortController().signal }
