import { describe, expect, test } from 'vitest'
import type { LoopEvent, Outcome, Verdict } from '../../../../src/contract/event.ts'
import type { View } from '../../../../src/kernel/policy.ts'
import type { Work } from '../../../../src/kernel/run.ts'
import { advance, emptyView } from '../../../../src/kernel/step.ts'
import type { Plan, Story } from '../../../../src/modes/delivery/contract/plan.ts'
import type { DeliveryRequest } from '../../../../src/modes/delivery/contract/request.ts'
import type { StoryResult, Tampering } from '../../../../src/modes/delivery/contract/result.ts'
import { readJob } from '../../../../src/modes/delivery/core/event-data.ts'
import type { DeliveryFacts } from '../../../../src/modes/delivery/core/facts.ts'
import type { DeliveryMemo } from '../../../../src/modes/delivery/core/memo.ts'
import { deliveryPolicy } from '../../../../src/modes/delivery/core/policy.ts'
import { deliveryReasons } from '../../../../src/modes/delivery/core/reasons.ts'
import { deliveryShow } from '../../../../src/modes/delivery/show/show.ts'
import { standingResult } from '../../../../src/modes/delivery/start/open-delivery.ts'
import { formatReason } from '../../../../src/show/reasons.ts'
import type { About, Report } from '../../../../src/show/show.ts'
import { summarizeSpend } from '../../../../src/show/spend.ts'
import { fakeClock } from '../../../../src/testing/memory.ts'
import { go } from '../../../kernel/harness.ts'
import { lineTexts, sectionTexts } from '../../../support/render.ts'

const hash = 'a'.repeat(64)
const story = (id: string): Story => ({
  id,
  title: `Story ${id}`,
  depends_on: [],
  acceptance_criteria: [],
  file_focus: [],
  verification: [`check ${id}`],
  source: { kind: 'criterion', id: null, line: 1, end_line: 1 },
  sha256: hash,
})
const plan: Plan = {
  contract_version: 1,
  planner_version: 1,
  format: 'markdown',
  prd_sha256: hash,
  stories: [story('S1'), story('S2')],
  unmapped: [],
  sha256: hash,
}
const plans = new Map([['first', plan]])
const caps = { attemptsPerTask: 2, attemptsPerRun: 20, interruptionsInARow: 5 }
const terms = {
  plans,
  first: 'first',
  agent: 'scripted',
  runCommands: 0,
  tampering: 'warn',
  commits: false,
  stuckAfter: 0,
  redBaseline: 'accept',
} as const
const policy = deliveryPolicy(terms, caps)
const about = {
  id: 'run_1',
  name: 'letters',
  request: { plan: { path: 'plan.json', sha256: 'first', bytes: 1 } } as DeliveryRequest,
  inputs: plans,
  words: () => undefined,
} satisfies About<DeliveryRequest, typeof plans>

const touched: Tampering = {
  kind: 'test-skipped',
  path: 'a.test.ts',
  says: 'it is skipped',
  attempt: 1,
  expected: false,
}
const commit = 'c0ffee1234567890c0ffee1234567890c0ffee12'

/** The first try at S1 is rejected, S2 never comes through. */
const work: Work<DeliveryMemo> = {
  attempt: async ({ task, attempt }): Promise<Outcome> => {
    if (readJob(task).do === 'keep') return { status: 'ok', data: { commit } }
    if (task.kind === 'chore') return { status: 'ok', data: { tree: 't0', was: 'red' } }
    return { status: 'ok', data: { tree: 't1', ...(task.id === 'S1' && attempt === 1 && { tampering: [touched] }) } }
  },
  evaluate: async ({ task, attempt }): Promise<Verdict> => {
    if (task.kind === 'chore' || (task.id === 'S1' && attempt > 1))
      return { status: 'passed', data: { evidence: 'proven', tree: 't1', mark: 'm' } }
    return { status: 'failed', detail: '"check" failed (exit 1)' }
  },
}

async function played() {
  const { events, view } = await go(policy, work, { clock: fakeClock() })
  return { events, view }
}

function linesOf(events: readonly LoopEvent[]): string[] {
  let before: View<DeliveryMemo> = emptyView(policy)
  return events.flatMap((event) => {
    const after = advance(before, event, policy)
    const lines = deliveryShow.lines({ event, before, after }, about)
    before = after
    return lineTexts(lines)
  })
}

test('a person reads what begins, what was touched, what was rejected and why, what is done and kept', async () => {
  const { events } = await played()
  expect(linesOf(events).map((line) => line.replace(/[0-9.]+s\b/g, 'Ns'))).toEqual([
    'Delivering letters: 2 stories',
    'S1 attempt 1/2: Story S1',
    'S1 touched a.test.ts (test-skipped): it is skipped',
    'S1 attempt 1 rejected: "check" failed (exit 1)',
    'S1 attempt 2/2: Story S1',
    'S1 done (proven) after 2 attempts, Ns',
    'S1 saved as c0ffee1234',
    'S2 attempt 1/2: Story S2',
    'S2 attempt 1 rejected: "check" failed (exit 1)',
    'S2 attempt 2/2: Story S2',
    'S2 attempt 2 rejected: "check" failed (exit 1)',
    'S2 failed after 2 attempts, Ns',
    'Ended as failed: no attempts left; 1 of 2 stories done (4 attempts, Ns)',
  ])
})

test('what goes on is told by the story and its attempt, or by the chore between two stories', async () => {
  const { events } = await played()
  const doing = (seq: number): string => {
    const view = events.slice(0, seq).reduce((one, event) => advance(one, event, policy), emptyView(policy))
    return lineTexts([deliveryShow.live({ view, eventAt: 0, saidAt: 0, now: 0 }, about).doing])[0]!
  }
  const started = (task: string): number =>
    events.find((event) => event.type === 'attempt-started' && event.task === task)!.seq
  expect(doing(1)).toMatch(/^between stories: starting, /)
  expect(doing(started('baseline-S1'))).toMatch(/^baseline S1: working, /)
  expect(doing(started('S1'))).toMatch(/^S1 attempt 1\/2: agent, /)
})

describe('a report', () => {
  const totals = {
    attempts: 4,
    looked: 0,
    unchanged: 0,
    denials: 0,
    deniedAttempts: 0,
    calls: 0,
    unpriced: 0,
    head: null,
  }
  const reported = (view: View<DeliveryMemo>, stories: readonly StoryResult[]): Report<DeliveryFacts> =>
    ({
      standing: 'failed',
      state: view.state,
      spend: summarizeSpend(view.state),
      next: null,
      facts: {
        changes: null,
        attempts: [],
        totals,
        failure: null,
        delivery: { stories, run_verification: 'not_run', detail: null },
        page: '/run/attempts/S2-attempt-2.md',
      },
    }) as unknown as Report<DeliveryFacts>

  test('names first the story that did not come through, then what was touched, then what is unproven', async () => {
    const { view } = await played()
    const { stories } = standingResult('run_1', plans, view)
    const unproven = stories.map((one) => (one.id === 'S1' ? { ...one, evidence: 'unproven' as const } : one))
    expect(deliveryShow.notices(reported(view, unproven), about)).toMatchObject([
      { about: 'story-failed', says: 'S2 failed: "check" failed (exit 1)', log: '/run/attempts/S2-attempt-2.md' },
      { about: 'tampered', says: 'S1 attempt 1 touched a.test.ts (test-skipped): it is skipped' },
      {
        about: 'unproven',
        says: 'done without proof: S1 (nothing shows that its changes did it)',
      },
    ])
  })

  test('has every story with its evidence, its tries and what holds it', async () => {
    const { view } = await played()
    const { stories } = standingResult('run_1', plans, view)
    const sections = deliveryShow.report(reported(view, stories), about)
    const shown = sectionTexts(sections).find(({ title }) => title === 'STORIES')?.lines
    expect(shown).toEqual([
      'STORY  STATUS  EVIDENCE  TRIED       COMMIT      TITLE',
      'S1     done    proven    2 attempts  c0ffee1234  Story S1',
      'S2     failed            2 attempts              Story S2',
      'S2: "check" failed (exit 1)',
    ])
  })
})

test('a list shows how many stories are done', async () => {
  const { view } = await played()
  expect(deliveryShow.progress(view, about)).toEqual({
    progress: '1/2 stories',
    did: { stories: 1, of: 2 },
    tasks: { done: 1, of: 2 },
  })
})

test('stories without proof are not called verified', () => {
  const says = (more: object) => formatReason(deliveryReasons, { code: 'all_done', ...more })
  expect(says({})).toBe('all stories are done and verified')
  expect(says({ unproven: 1, held: 2 })).toBe(
    'all stories are done, but 1 without proof; 2 only held: the checks passed before the work too',
  )
})
