import { formatNote } from '../../../show/lines.ts'
import { defaultSetting } from '../../../show/reasons.ts'
import type { Show } from '../../../show/show.ts'
import type { CountingMemo, CountingRequest } from '../core/policy.ts'

export type CountingFacts = { readonly counted: number }

export const countingShow: Show<CountingRequest, null, CountingMemo, CountingFacts> = {
  unit: { one: 'number', many: 'numbers' },
  setting: defaultSetting,
  task: (id) => id.replace('-', ' '),
  doing: ({ task }) => `at ${task.replace('-', ' ')}`,
  wants: () => [],
  lines: ({ event, before, after }) => [
    ...(after.memo.counted > before.memo.counted ? [[`counted ${after.memo.counted}`]] : []),
    ...(event.type === 'run-ended' ? [[`ended as ${event.ending}`]] : []),
    ...formatNote(event),
  ],
  live: ({ view, eventAt }, { request }) => {
    const doing = [`number ${view.memo.counted + 1} of ${request.to}, `, { is: 'since', at: eventAt } as const]
    return { doing, bounds: [], brief: doing }
  },
  bounds: () => [],
  question: ({ id }) => ({ id, asks: ['Count on?'], choices: [], takesText: false, about: [] }),
  progress: ({ memo }, { request }) => ({
    progress: `${memo.counted}/${request.to} numbers`,
    did: { numbers: memo.counted, of: request.to },
  }),
  notices: () => [],
  report: ({ facts, next }) => [
    { id: 'counted', title: 'COUNTED', blocks: [{ kind: 'text', lines: [[`${facts.counted} numbers`]] }] },
    { id: 'next', title: 'NEXT', blocks: next ? [{ kind: 'actions', actions: [{ action: next }] }] : [] },
  ],
  why: ({ name, standing, says, facts }) => [
    { kind: 'text', lines: [[`${name} is ${standing}: ${says}, after ${facts.counted} numbers`]] },
  ],
}
