import { z } from 'zod'
import { noLock } from '../../ports/locks.ts'
import { defineMode, type Mode } from '../../run/mode.ts'
import { formatReason } from '../../show/reasons.ts'
import { resultBase } from '../../show/result.ts'
import { type CountingMemo, CountingRequest, countingPolicy, reasons } from './core/policy.ts'
import { type CountingFacts, countingShow } from './show/show.ts'
import { countingWork } from './work/work.ts'

/** Counts to a number, one step at a time. */
export const mode: Mode<CountingRequest, null, CountingMemo, CountingFacts> = {
  name: 'counting',
  request: CountingRequest,
  data: {
    task: z.undefined(),
    call: z.undefined(),
    outcome: z.looseObject({ counted: z.int() }).optional(),
    verdict: z.undefined(),
    terms: z.unknown(),
  },
  reasons,
  sealedBy: () => undefined,
  load: async () => null,
  policy: ({ request, envelope }) => countingPolicy(request, envelope.caps),
  commands: ({ command }) => ({ agents: [], checks: command === null ? [] : [command], sends: [] }),
  resuming: {
    amend: (request) => ({ request, changes: [], terms: {}, anotherAgent: false }),
    caps: (given) => given,
  },
  feedback: { instead: 'Numbers do not listen.' },
  preflight: async () => {},
  hold: async () => noLock,
  compose: ({ entry, current: { request } }, _inputs, tools) => ({ work: countingWork(entry.id, request, tools) }),
  result: (run, _inputs, left, { exit }) => ({
    ...resultBase(run.entry.id, left, exit, (reason) => formatReason(reasons, reason)),
    counted: left.view.memo.counted,
  }),
  facts: async (_run, _inputs, _machine, { view }) => ({ counted: view.memo.counted }),
  show: countingShow,
}

export const counting = defineMode(mode)
