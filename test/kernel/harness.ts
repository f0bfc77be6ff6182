import { expect } from 'vitest'
import type { LoopEvent } from '../../src/contract/event.ts'
import type { Left, Policy } from '../../src/kernel/policy.ts'
import { type LoopOptions, runLoop, type Work } from '../../src/kernel/run.ts'
import { advance, emptyView, firstDivergence, foldEvents } from '../../src/kernel/step.ts'
import { fakeClock, memoryInbox, memoryJournal } from '../../src/testing/memory.ts'

export const neverStop = () => ({ soft: new AbortController().signal, hard: new AbortController().signal })

type Extras<M> = Partial<LoopOptions<M>> & { journal?: ReturnType<typeof memoryJournal> }

/** Runs a loop in memory and checks what must hold for every run, whatever it did. */
export async function go<M>(policy: Policy<M>, work: Work<NoInfer<M>>, extras: Extras<M> = {}) {
  const journal = extras.journal ?? memoryJournal()
  const left = await runLoop({ ...defaults(policy, work), ...extras, journal })
  checkInvariants(journal.events, policy, left)
  return { ...left, state: left.view.state, memo: left.view.memo, events: journal.events, journal }
}

export function defaults<M>(policy: Policy<M>, work: Work<NoInfer<M>>): LoopOptions<M> {
  return {
    run: 'r',
    policy,
    work,
    journal: memoryJournal(),
    inbox: memoryInbox(),
    clock: fakeClock(),
    stop: neverStop(),
    start: { pins: {} },
    attended: false,
    holdMs: Infinity,
  }
}

const totals = [
  'seq',
  'lastNote',
  'tasks',
  'attempts',
  'tokens',
  'costUsd',
  'activeMs',
  'waitMs',
  'escalations',
] as const

export function checkInvariants<M>(events: readonly LoopEvent[], policy: Policy<M>, left: Left<M>): void {
  const replayed = foldEvents(events, policy)
  if (left.status !== 'unsaved') expect(plain(replayed)).toEqual(plain(left.view))
  expect(firstDivergence(events, policy)).toBeUndefined()
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  let view = emptyView(policy)
  for (const event of events) {
    const before = view.state
    view = advance(view, event, policy)
    const { state } = view
    for (const name of totals) if (!(state[name] >= before[name])) expect.fail(`${name} went down at ${event.seq}`)
    const sameTask = before.task && before.task.id === state.task?.id
    if (sameTask && state.attempt < before.attempt) expect.fail(`attempt number went down at ${event.seq}`)
  }
}

/** As a journal or a snapshot would keep it. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
