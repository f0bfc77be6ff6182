import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LoopEvent, NewNote, Note } from '../../src/contract/event.ts'
import type { Caps } from '../../src/contract/values.ts'
import type { Policy } from '../../src/kernel/policy.ts'
import { type LoopOptions, runLoop, type Work } from '../../src/kernel/run.ts'
import { fakeClock, memoryInbox, memoryJournal } from '../../src/testing/memory.ts'
import { checkInvariants, defaults, go } from './harness.ts'
import { delivery, procedure, refinement, score, scriptedWork, writing } from './policies.ts'

type Script = { readonly scores: readonly number[]; readonly tokens: number; readonly judgeTokens: number }
type AnyPolicy = Policy<never>

const script = fc.record({
  scores: fc.array(fc.integer({ min: 40, max: 100 }), { minLength: 1, maxLength: 6 }),
  tokens: fc.integer({ min: 0, max: 60 }),
  judgeTokens: fc.integer({ min: 0, max: 20 }),
})
const caps = fc.record({
  tasks: fc.integer({ min: 1, max: 6 }),
  attemptsPerTask: fc.integer({ min: 1, max: 4 }),
  attemptsPerRun: fc.integer({ min: 1, max: 9 }),
  tokens: fc.integer({ min: 1, max: 400 }),
  escalations: fc.integer({ min: 0, max: 2 }),
  failuresInARow: fc.integer({ min: 1, max: 4 }),
  interruptionsInARow: fc.constant(30),
})
const policies = { procedure, delivery, refinement, writing } as unknown as Record<string, (caps: Caps) => AnyPolicy>
const policyName = fc.constantFrom(...Object.keys(policies))

/** The result depends only on the task and on what was burned, so that it is the same before and after a crash. */
const workOf = ({ scores, tokens, judgeTokens }: Script) =>
  scriptedWork({
    tokens,
    judgeTokens,
    attempt: (a) =>
      a.task.kind === 'chore' ? { status: 'ok', data: ['outline', 'draft', 'polish'] } : { status: 'ok' },
    verdict: (a, burned) => {
      if (a.task.kind === 'chore') return { status: 'passed' }
      const salt = [...a.task.id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
      return score(scores[(burned + salt) % scores.length]!)
    },
  })

const settledTasks = (events: readonly LoopEvent[]) =>
  events.flatMap((e) => (e.type === 'decision-made' && e.decision.do === 'settle' ? [e.task] : []))

test('cut after every event and resumed, a run reaches the same end and repeats nothing settled', async () => {
  await fc.assert(
    fc.asyncProperty(policyName, caps, script, async (name, bounds, inputs) => {
      const policy = policies[name]!(bounds)
      const whole = await go(policy, workOf(inputs))
      for (let cut = 0; cut <= whole.events.length; cut++) {
        const kept = whole.events.slice(0, cut)
        const settled = settledTasks(kept)
        const work = workOf(inputs)
        const run = await go(policy, work, { journal: memoryJournal(structuredClone(kept)) })
        expect(run.status).toBe(whole.status)
        expect(work.ran.filter((task) => settled.includes(task))).toEqual([])
        // An interrupted iteration of a procedure keeps its number and is not repeated, so its verdict may be missing.
        if (name === 'procedure') continue
        // Money wins: what an interrupted attempt had spent may leave no room to go on with it.
        if (run.state.ended?.ending === 'failed' && run.state.tokens >= bounds.tokens) continue
        expect(run.state.ended).toEqual(whole.state.ended)
        expect(run.memo).toEqual(whole.memo)
        expect(run.state.tokens).toBe(whole.state.tokens)
        expect(run.state.attempts).toBe(whole.state.attempts)
      }
    }),
    { numRuns: 60 },
  )
})

test('cut again and again at random, no call that was recorded is made twice', async () => {
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('delivery', 'refinement'),
      caps,
      script,
      cuts,
      async (name, bounds, inputs, at) => {
        const policy = policies[name]!(bounds)
        let events = (await go(policy, workOf(inputs))).events
        for (const part of at) {
          const kept = structuredClone(events.slice(0, Math.floor(part * events.length)))
          events = (await go(policy, workOf(inputs), { journal: memoryJournal(kept) })).events
        }
        let open: string | undefined
        const seen = new Set<string>()
        for (const event of events) {
          if (event.type === 'verdict-reached' || event.type === 'task-picked') seen.clear()
          if (event.type === 'call-ended') {
            open = `${event.task}/${event.call.key}`
            expect(seen.has(open), `${open} at ${event.seq}`).toBe(false)
            seen.add(open)
          }
        }
      },
    ),
    { numRuns: 150 },
  )
})

test('a cap is exceeded by at most the one attempt that was running, and one grace', async () => {
  await fc.assert(
    fc.asyncProperty(policyName, caps, script, async (name, bounds, inputs) => {
      const { state } = await go(policies[name]!(bounds), workOf(inputs))
      const perAttempt = inputs.tokens + inputs.judgeTokens
      expect(state.attempts).toBeLessThanOrEqual(bounds.attemptsPerRun + (state.graced.length ? 1 : 0))
      expect(state.tokens).toBeLessThan(bounds.tokens + perAttempt * (1 + state.graced.length) + 1)
      expect(state.escalations).toBeLessThanOrEqual(bounds.escalations)
      if (name === 'procedure') expect(state.tasks).toBeLessThanOrEqual(bounds.tasks)
      expect(state.failuresInARow).toBeLessThanOrEqual(bounds.failuresInARow + state.graced.length)
    }),
    { numRuns: 300 },
  )
})

const note: fc.Arbitrary<NewNote> = fc.constantFrom<NewNote>(
  { by: 'ann', say: 'pause' },
  { by: 'ann', say: 'unpause' },
  { by: 'ann', say: 'skip-wait' },
  { by: 'bob', say: 'feedback', text: { path: 'f', sha256: 'x', bytes: 1 } },
  { by: 'bob', say: 'raise', caps: { attemptsPerRun: 12 } },
  { by: 'ann', say: 'answer', questionId: 'nonsense' },
)

test('a note is never lost nor applied twice, wherever the process dies', async () => {
  const posts = fc.array(fc.tuple(fc.integer({ min: 1, max: 25 }), note), { maxLength: 6 })
  const deaths = fc.array(fc.integer({ min: 2, max: 30 }), { maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(policyName, script, posts, deaths, async (name, inputs, planned, dieAt) => {
      const policy = policies[name]!({ tasks: 3, attemptsPerTask: 2, attemptsPerRun: 9, interruptionsInARow: 30 })
      const inbox = memoryInbox()
      const events: LoopEvent[] = []
      const pending = [...planned]
      for (let round = 0; events.at(-1)?.type !== 'run-ended'; round++) {
        expect(round).toBeLessThan(30)
        const death = dieAt[round] ?? Infinity
        const journal = memoryJournal(events)
        const { append } = journal
        journal.append = async (draft) => {
          if (draft.seq === death) throw new Error('killed')
          return append(draft)
        }
        const left = await runLoop({
          ...defaults(policy, workOf(inputs)),
          journal,
          inbox,
          onEvent: (event) => {
            for (const [seq, said] of pending.filter(([seq]) => seq === event.seq)) {
              pending.splice(pending.indexOf(pending.find(([s, n]) => s === seq && n === said)!), 1)
              void inbox.post(said)
            }
          },
        })
        const { question } = left.view.state
        if (question)
          await inbox.post({ by: 'ann', say: 'answer', questionId: question.id, choice: question.choices?.at(-1) })
      }
      // What came too late for this run waits in the inbox for its reopening.
      await runLoop({
        ...defaults(policy, workOf(inputs)),
        journal: memoryJournal(events),
        inbox,
        reopen: () => ({ by: 'ann' }),
      })
      expect(events.flatMap((e): Note[] => (e.type === 'note-received' ? [e.note] : []))).toEqual(inbox.notes)
    }),
    { numRuns: 200 },
  )
})

test('whatever is thrown, aborted or refused at any await, the run leaves in one of its four ways and can go on', async () => {
  const places = [
    'append',
    'sync',
    'load',
    'keep',
    'take',
    'attempt',
    'evaluate',
    'recover',
    'sleep',
    'soft',
    'hard',
  ] as const
  const fault = fc.record({
    place: fc.constantFrom(...places),
    at: fc.integer({ min: 1, max: 20 }),
    forever: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      policyName,
      script,
      fc.array(fault, { minLength: 1, maxLength: 3 }),
      async (name, inputs, faults) => {
        const policy = policies[name]!({ tasks: 3, attemptsPerTask: 3, attemptsPerRun: 9, interruptionsInARow: 9 })
        const events: LoopEvent[] = []
        const options = breakable({ ...defaults(policy, workOf(inputs)), journal: memoryJournal(events) }, faults)
        const left = await runLoop(options)
        expect(['ended', 'waiting', 'interrupted', 'unsaved']).toContain(left.status)
        checkInvariants(events, policy, left)
        const after = await runLoop({ ...defaults(policy, workOf(inputs)), journal: memoryJournal(events) })
        expect(after.status).toBe(name === 'writing' && after.view.state.question ? 'waiting' : 'ended')
        checkInvariants(events, policy, after)
      },
    ),
    { numRuns: 600 },
  )
})

/** Fails the n-th call of each named kind, once or from then on. */
function breakable<M>(
  options: LoopOptions<M>,
  faults: readonly { place: string; at: number; forever: boolean }[],
): LoopOptions<M> {
  const seen: Record<string, number> = {}
  const soft = new AbortController()
  const hard = new AbortController()
  const strikes = (place: string): boolean => {
    const count = (seen[place] ?? 0) + 1
    seen[place] = count
    return faults.some((fault) => fault.place === place && (fault.forever ? count >= fault.at : count === fault.at))
  }
  const breaking = <F extends (...args: never[]) => unknown>(place: string, call: F): F =>
    ((...args: Parameters<F>) => {
      if (strikes('soft')) soft.abort('SIGINT')
      if (strikes('hard')) hard.abort('SIGTERM')
      if (strikes(place)) throw new Error(`${place} failed`)
      return call(...args)
    }) as F
  const { journal, inbox, work, clock } = options
  const broken: Work<M> = {
    attempt: breaking('attempt', work.attempt),
    evaluate: breaking('evaluate', work.evaluate),
    recover: breaking('recover', async () => undefined),
  }
  return {
    ...options,
    work: broken,
    journal: {
      append: async (...args) => breaking('append', journal.append)(...args),
      sync: async () => breaking('sync', () => journal.sync())(),
      load: async (...args) => breaking('load', journal.load)(...args),
      keep: async (...args) => breaking('keep', journal.keep)(...args),
    },
    inbox: { ...inbox, take: async (...args) => breaking('take', inbox.take)(...args) },
    clock: { ...clock, sleep: async (...args) => breaking('sleep', fakeClock().sleep)(...args) },
    stop: { soft: soft.signal, hard: hard.signal },
  }
}
