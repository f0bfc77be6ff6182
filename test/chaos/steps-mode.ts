import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Caps } from '../../src/contract/values.ts'
import type { Policy } from '../../src/kernel/policy.ts'
import { noLock } from '../../src/ports/locks.ts'
import type { NewRun } from '../../src/ports/run-store.ts'
import { defineMode, type Mode, type ModeEntry } from '../../src/run/mode.ts'
import { formatRequest } from '../../src/run/new-run.ts'
import { defaultReasons, defaultSetting, formatReason } from '../../src/show/reasons.ts'
import { resultBase } from '../../src/show/result.ts'
import type { Show } from '../../src/show/show.ts'

const Request = z.object({ steps: z.int().positive(), stepMs: z.int() })
type Request = z.infer<typeof Request>
type Memo = { readonly done: number }

/** Does something outside of the run, once per key. */
export type Effect = (key: string) => Promise<void>

/** A mode for the chaos suite: some steps, each with one effect that must happen once. */
export const stepsEntry = (effect: Effect): ModeEntry => ({
  name: 'steps',
  load: async () => defineMode(createMode(effect)),
  starts: {},
  schemas: {},
})

const reasons = {
  ...defaultReasons,
  stepped: { fields: {}, text: () => 'all steps are done' },
}

const policy = ({ steps }: Request, caps: Caps): Policy<Memo> => ({
  name: 'steps',
  version: 1,
  caps,
  memo: { done: 0 },
  fold: (memo, event) =>
    event.type === 'decision-made' && event.decision.do === 'settle' ? { done: memo.done + 1 } : memo,
  pick: ({ memo }) =>
    memo.done >= steps
      ? { do: 'stop', ending: 'completed', reason: { code: 'stepped' } }
      : { id: `step-${memo.done + 1}`, kind: 'work' },
  decide: ({ state }) => (state.outcome?.status === 'ok' ? { do: 'settle', as: 'done' } : { do: 'retry' }),
  whenSpent: (cap) => ({ do: 'stop', ending: 'failed', reason: { code: 'cap_spent', cap } }),
})

const show: Show<Request, null, Memo, null> = {
  unit: { one: 'step', many: 'steps' },
  setting: defaultSetting,
  task: (id) => id,
  doing: ({ task }) => task,
  wants: () => [],
  lines: () => [],
  live: () => ({ doing: [], bounds: [], brief: [] }),
  bounds: () => [],
  question: ({ id }) => ({ id, asks: [], choices: [], takesText: false, about: [] }),
  progress: ({ memo }, { request }) => ({ progress: `${memo.done}/${request.steps}`, did: { steps: memo.done } }),
  notices: () => [],
  report: () => [],
  why: () => [],
}

const createMode = (effect: Effect): Mode<Request, null, Memo, null> => ({
  name: 'steps',
  request: Request,
  data: {
    task: z.undefined(),
    call: z.undefined(),
    outcome: z.undefined(),
    verdict: z.undefined(),
    terms: z.unknown(),
  },
  reasons,
  sealedBy: () => undefined,
  load: async () => null,
  policy: ({ request, envelope }) => policy(request, envelope.caps),
  commands: () => ({ agents: [], checks: [], sends: [] }),
  resuming: {
    amend: (request) => ({ request, changes: [], terms: {}, anotherAgent: false }),
    caps: (given) => given,
  },
  feedback: { instead: 'Steps read nothing.' },
  preflight: async () => {},
  hold: async () => noLock,
  compose: ({ current: { request } }) => ({
    work: {
      attempt: async ({ effectKey }, _view, signal) => {
        await delay(request.stepMs / 2, undefined, { signal })
        await effect(effectKey)
        await delay(request.stepMs / 2, undefined, { signal })
        return { status: 'ok' }
      },
      evaluate: async () => ({ status: 'passed' }),
    },
  }),
  result: (run, _inputs, left, { exit }) =>
    resultBase(run.entry.id, left, exit, (reason) => formatReason(reasons, reason)),
  facts: async () => null,
  show,
})

/** Returns a run of this mode to create. */
export function newSteps(id: string, workspace: string, request: Request): NewRun {
  const entry = { id, mode: 'steps', name: 'steps', workspace, created: new Date().toISOString(), queued: true }
  const text = formatRequest({
    contract_version: 2,
    run_id: id,
    mode: entry.mode,
    name: entry.name,
    workspace,
    created: entry.created,
    invoked_as: 'pawl',
    durability: 'strict',
    sandbox: 'off',
    env: [],
    secrets: [],
    caps: { interruptionsInARow: 50 },
    origins: {},
    with: request,
  })
  return { entry, listed: true, freeze: async () => ({ request: text }) }
}
