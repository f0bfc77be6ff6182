import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LoopEvent, Outcome, Verdict } from '../../../src/contract/event.ts'
import type { Caps } from '../../../src/contract/values.ts'
import type { Attempt, Work } from '../../../src/kernel/run.ts'
import type { Plan, Story } from '../../../src/modes/delivery/contract/plan.ts'
import { readJob } from '../../../src/modes/delivery/core/event-data.ts'
import type { DeliveryMemo } from '../../../src/modes/delivery/core/memo.ts'
import { deliveryPolicy } from '../../../src/modes/delivery/core/policy.ts'
import { buildDeliveryResult } from '../../../src/modes/delivery/core/result.ts'
import { fakeClock, memoryInbox, memoryJournal } from '../../../src/testing/memory.ts'
import { go } from '../../kernel/harness.ts'

const hash = (text: string): string => text.padEnd(64, '0')
const story = (id: string, after: readonly string[] = [], text = id): Story => ({
  id,
  title: text,
  depends_on: after,
  acceptance_criteria: [],
  file_focus: [],
  verification: [`check ${id}`],
  source: { kind: 'criterion', id: null, line: 1, end_line: 1 },
  sha256: hash(text),
})
const planOf = (...stories: Story[]): Plan => ({
  contract_version: 1,
  planner_version: 1,
  format: 'markdown',
  prd_sha256: hash('prd'),
  stories,
  unmapped: [],
  sha256: hash('plan'),
})

type Step = { readonly outcome?: Outcome; readonly verdict?: Verdict }
type Script = Readonly<Record<string, readonly Step[]>>

/** What happens depends on the story and on how often it was tried, so that it is the same before and after a crash. */
function scripted(script: Script): Work<DeliveryMemo> & { ran: string[] } {
  const ran: string[] = []
  const stepOf = (a: Attempt, burned: number): Step => script[a.task.id]?.[burned] ?? {}
  return {
    ran,
    attempt: async (a, { state, memo }): Promise<Outcome> => {
      ran.push(a.task.id)
      const { story: id } = readJob(a.task)
      if (a.task.kind === 'chore') return { status: 'ok', data: { tree: 't0', was: 'red', commit: `c-${id}` } }
      return (
        stepOf(a, memo.stories[a.task.id]?.tries ?? state.burned).outcome ?? {
          status: 'ok',
          data: { tree: 't1', changed: true },
        }
      )
    },
    evaluate: async (a, { memo }) => {
      if (a.task.kind === 'chore') return { status: 'passed' }
      const tries = memo.stories[a.task.id]?.tries ?? 1
      return stepOf(a, tries - 1).verdict ?? { status: 'passed', data: { evidence: 'proven', tree: 't1', mark: 'm' } }
    },
  }
}

const plan = planOf(story('S1'), story('S2', ['S1']), story('S3'))
const usualCaps: Caps = { attemptsPerTask: 2, attemptsPerRun: 20, interruptionsInARow: 5 }
const policyOf = (caps: Caps = usualCaps, tampering: 'warn' | 'ask' = 'warn', plans = new Map([['first', plan]])) =>
  deliveryPolicy({ plans, first: 'first', agent: 'scripted', runCommands: 1, tampering, ...usualTerms }, caps)
const usualTerms = { commits: false, stuckAfter: 0, redBaseline: 'accept' } as const
const red: Step = { verdict: { status: 'failed', detail: 'red' } }
const resultOf = (left: Awaited<ReturnType<typeof go<DeliveryMemo>>>) =>
  buildDeliveryResult({ run: 'r', plan, left, exit: 0, sandbox: null })
const order = (events: readonly LoopEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'attempt-started' ? [event.task!] : []))

test('a story is measured before it is tried, kept before the next begins, and the whole is verified last', async () => {
  const { events, state } = await go(policyOf(), scripted({}))
  expect(order(events)).toEqual([
    'baseline-S1',
    'S1',
    'keep-S1',
    'baseline-S2',
    'S2',
    'keep-S2',
    'baseline-S3',
    'S3',
    'keep-S3',
    'run-verification',
  ])
  expect(state.ended?.ending).toBe('completed')
})

test('what depends on a failed story is skipped, everything else goes on', async () => {
  const left = await go(policyOf(), scripted({ S1: [red, red] }))
  expect(left.state.ended).toMatchObject({ ending: 'failed', reason: { code: 'attempt_budget_exhausted' } })
  expect(resultOf(left).stories.map(({ status }) => status)).toEqual(['failed', 'skipped', 'done'])
})

test.each<[string, Step, string]>([
  [
    'an agent that fails every time may do better later',
    { outcome: { status: 'failed' }, ...red },
    'agent_exit_nonzero',
  ],
  ['so may one that runs out of time', { outcome: { status: 'timed-out' }, ...red }, 'agent_timeout'],
  [
    'a command that cannot pass ends the story at once',
    { verdict: { status: 'failed', data: { hopeless: true } } },
    'story_verification_failed',
  ],
  ['attempts that were judged are spent', red, 'attempt_budget_exhausted'],
])('%s', async (_, step, reason) => {
  const left = await go(policyOf(), scripted({ S1: [step, step] }))
  expect(resultOf(left).stories[0]).toMatchObject({ status: 'failed', reason })
})

test('one attempt that reached a verdict of its own makes it a matter of attempts', async () => {
  const left = await go(policyOf(), scripted({ S1: [{ outcome: { status: 'failed' }, ...red }, red] }))
  expect(resultOf(left).stories[0]!.reason).toBe('attempt_budget_exhausted')
})

test('attempts of the run that are spent end it, whatever is still open', async () => {
  const left = await go(policyOf({ attemptsPerTask: 9, attemptsPerRun: 3 }), scripted({ S1: [red, red, red] }))
  expect(left.state.ended?.reason).toEqual({ code: 'attempt_budget_exhausted' })
  expect(resultOf(left).stories.map(({ status, attempts }) => [status, attempts])).toEqual([
    ['failed', 3],
    ['skipped', 0],
    ['pending', 0],
  ])
})

test('who says that it is blocked is believed only where the commands are red', async () => {
  const says: Outcome = { status: 'ok', data: { promise: 'BLOCKED', tree: 't1' } }
  const blocked = await go(
    policyOf(),
    scripted({ S1: [{ outcome: says, verdict: { status: 'failed', data: { blocked: true } } }] }),
  )
  expect(resultOf(blocked)).toMatchObject({
    status: 'blocked',
    reason: 'blocked_dependency',
    summary: { blocked: 1, skipped: 1, completed: 1 },
  })
  const green = await go(policyOf(), scripted({ S1: [{ outcome: says }] }))
  expect(resultOf(green).status).toBe('success')
})

test('a login that is missing stops it at once, and costs no attempt', async () => {
  const { state } = await go(
    policyOf(),
    scripted({ S1: [{ outcome: { status: 'unavailable', data: { fault: 'login' } } }] }),
  )
  expect([state.ended?.ending, state.ended?.reason.code, state.attempts]).toEqual(['blocked', 'blocked_dependency', 0])
})

test('a repository that stays in the way blocks the run after three tries, and costs no attempt', async () => {
  const gone: Step = { outcome: { status: 'unavailable', detail: 'no repository', data: { fault: 'repository' } } }
  const work = scripted({ S1: [gone] })
  const { state } = await go(policyOf(), work, { clock: fakeClock(Infinity) })
  expect([state.ended?.ending, state.ended?.reason.code, state.attempts]).toEqual(['blocked', 'blocked_dependency', 0])
  expect(work.ran.filter((task) => task === 'S1')).toHaveLength(3)
})

test('touched checks are asked about where that is wanted, and a no is remembered', async () => {
  const tampering = [{ kind: 'test-skipped' as const, path: 'a.test.ts', says: 'x', attempt: 1, expected: false }]
  const evidence = { path: 'critique.md', sha256: 's', bytes: 1 }
  const outcome = { status: 'ok', data: { tampering, tree: 't1' } as never } as const
  const work = scripted({
    S1: [{ outcome, verdict: { status: 'passed', evidence, data: { evidence: 'rewritten', tree: 't1' } } }],
  })
  const asked = await go(policyOf(usualCaps, 'ask'), work)
  expect([asked.status, asked.state.question?.choices]).toEqual(['waiting', ['accept', 'reject']])
  const inbox = memoryInbox()
  await inbox.post({ by: 'somebody', say: 'answer', questionId: asked.state.question!.id, choice: 'reject' })
  const again = await go(policyOf(usualCaps, 'ask'), work, {
    journal: memoryJournal(structuredClone(asked.events)),
    inbox,
  })
  expect([again.state.ended?.ending, order(again.events).filter((id) => id === 'S1').length]).toEqual(['completed', 2])
})

test('under another plan the same work stays done by any name, and the rest begins with the next number', async () => {
  const other = planOf(story('S1', [], 'new'), story('S2', [], 'S1'), story('S3', ['S2'], 'changed'))
  const plans = new Map([
    ['first', plan],
    ['second', other],
  ])
  const failed = await go(policyOf(usualCaps, 'warn', plans), scripted({ S2: [red, red] }))
  const inbox = memoryInbox()
  await inbox.post({ by: 'x', say: 'amend', request: { path: 'p', sha256: 's', bytes: 1 }, terms: { plan: 'second' } })
  const reopened = await go(policyOf(usualCaps, 'warn', plans), scripted({}), {
    journal: memoryJournal(structuredClone(failed.events)),
    inbox,
    reopen: () => ({ by: 'x' }),
  })
  expect(order(reopened.events.slice(failed.events.length))).toEqual([
    'baseline-S1',
    'S1',
    'keep-S1',
    'baseline-S3',
    'S3',
    'keep-S3',
    'run-verification',
  ])
  const numbers = reopened.events.flatMap((event) =>
    event.type === 'attempt-started' && !event.chore ? [`${event.task} ${event.attempt}`] : [],
  )
  expect(numbers).toEqual(['S1 1', 'S2 1', 'S2 2', 'S3 1', 'S1 2', 'S3 2'])
})

test('cut after every event and resumed, a delivery ends the same and repeats no finished story', async () => {
  const steps = fc.array(
    fc.constantFrom<Step>(
      {},
      red,
      { outcome: { status: 'failed' }, ...red },
      { outcome: { status: 'timed-out' }, ...red },
    ),
    { maxLength: 3 },
  )
  await fc.assert(
    fc.asyncProperty(fc.record({ S1: steps, S2: steps, S3: steps }), async (script) => {
      const whole = await go(policyOf(), scripted(script))
      for (let cut = 0; cut <= whole.events.length; cut++) {
        const kept = whole.events.slice(0, cut)
        const done = kept.flatMap((e) => (e.type === 'decision-made' && e.decision.do === 'settle' ? [e.task!] : []))
        const work = scripted(script)
        const run = await go(policyOf(), work, { journal: memoryJournal(structuredClone(kept)) })
        expect(work.ran.filter((task) => done.includes(task))).toEqual([])
        expect(run.state.ended).toEqual(whole.state.ended)
        const told = (left: typeof run) =>
          resultOf(left).stories.map(({ id, status, attempts, reason }) => [id, status, attempts, reason])
        expect(told(run)).toEqual(told(whole))
      }
    }),
    { numRuns: 15 },
  )
})
