import { describe, expect, test } from 'vitest'
import type { LoopEvent } from '../../../src/contract/event.ts'
import type { Caps } from '../../../src/contract/values.ts'
import { advance, emptyView } from '../../../src/kernel/step.ts'
import { procedurePolicy } from '../../../src/modes/procedure/core/policy.ts'
import { procedureShow } from '../../../src/modes/procedure/show/show.ts'
import { collectWork, type WorkFacts } from '../../../src/show/report/collect.ts'
import type { Report, Rule } from '../../../src/show/show.ts'
import { summarizeSpend } from '../../../src/show/spend.ts'
import { blockTexts, lineTexts, sectionTexts } from '../../support/render.ts'
import {
  agentFailed,
  ended,
  eventsOf,
  gateFailed,
  iteration,
  passed,
  type Written,
} from '../../support/written-events.ts'

const about = { id: 'r1', name: 'build', request: {} as never, inputs: null, words: () => undefined }
const agent = { name: 'command', argv: ['x'] } as const
const started = (caps: Caps): Written => ({
  type: 'run-started',
  journal: 2,
  policy: 'procedure',
  version: 2,
  caps,
  pins: { head: 'a'.repeat(40) },
})

function play(facts: readonly Written[], caps: Caps = { tasks: 2, failuresInARow: 3 }) {
  const policy = procedurePolicy({ until: 'never', redIsFine: false, gates: [], agent }, caps)
  const events = eventsOf([started(caps), ...facts])
  let after = emptyView(policy)
  const lines = events.flatMap((event) => {
    const before = after
    after = advance(before, event, policy)
    return lineTexts(procedureShow.lines({ event, before, after }, about))
  })
  return { events, lines, view: after }
}
const maximum = { code: 'max_iterations', iterations: 2 }

describe('lines', () => {
  test('are those of seed 002', () => {
    const { lines } = play([
      ...iteration(1, gateFailed(0, 1)),
      ...iteration(2, agentFailed),
      ...ended('failed', maximum, 'tasks'),
    ])
    expect(lines).toEqual([
      'Starting procedure: build (max 2 iterations)',
      'Iteration 1/2 starting...',
      'WARNING: Quality gates failed (gate failed (exit 1)), consecutive failures: 1/3',
      'Iteration 1/2 completed in 3m00s',
      'Iteration 2/2 starting...',
      'WARNING: AI CLI failed (exit 4), consecutive failures: 2/3',
      'Iteration 2/2 completed in 3m00s',
      'Reached max iterations: 2, not done yet (total: 6m00s)',
    ])
  })

  test('report only the abort for the last failure', () => {
    const spent = { code: 'cap_spent', cap: 'failuresInARow' }
    const { lines } = play([...iteration(1, agentFailed), ...ended('failed', spent, 'failuresInARow')], {
      failuresInARow: 1,
    })
    expect(lines).toEqual([
      'Starting procedure: build (unlimited iterations)',
      'Iteration 1 starting...',
      'WARNING: AI CLI failed (exit 4), consecutive failures: 1/1',
      'ERROR: Aborting after 1 consecutive failure (1 iteration completed, total: 3m00s)',
    ])
  })

  test('for waits, pauses, notes and resumes name the next command', () => {
    const until = Date.parse('2026-02-15T03:00:00Z')
    const unavailable = { type: 'attempt-ended', outcome: { status: 'unavailable', detail: 'exit 1' } } as const
    const wait = { do: 'wait', until, reason: { code: 'usage_limit' } } as const
    const pause = { do: 'pause', question: { id: 'q', topic: { code: 'paused' } } } as const
    const { lines } = play([
      ...iteration(1, passed(0)),
      ...iteration(2, passed(0)).slice(0, 2),
      unavailable,
      { type: 'decision-made', decision: wait, by: 'policy' },
      { type: 'note-received', note: { id: 1, by: 'ann', say: 'skip-wait' } },
      { type: 'wait-ended', skipped: true },
      { type: 'decision-made', decision: pause, by: 'person' },
      { type: 'run-resumed' },
    ])
    expect(lines.slice(4)).toEqual([
      'AI CLI unavailable (exit 1)',
      'Waiting until 2026-02-15 03:00 (usage limit); skip with: pawl resume --now',
      'ann skipped the wait',
      'Wait skipped',
      'Paused; continue with: pawl resume',
      'Resuming procedure: build from iteration 1 (max 2)',
      'Previous session: 1 iteration completed in 3m00s',
    ])
  })
})

async function reportOf(events: readonly LoopEvent[], state: Report<WorkFacts>['state']): Promise<Report<WorkFacts>> {
  const facts = await collectWork({
    events: (async function* () {
      yield events
    })(),
    running: false,
    gates: ['npm test'],
    changesSince: async () => ({
      head: 'b'.repeat(40),
      history: 'continued',
      commits: Array.from({ length: 12 }, (_, index) => ({ id: 'c'.repeat(40), subject: `Commit ${index}\nmore` })),
      totalCommits: 12,
      files: [
        { path: 'src/a.ts', status: 'modified', added: 1, deleted: 2 },
        { path: 'logo.png', status: 'added', added: null, deleted: null },
      ],
      totalFiles: 2,
      added: 1,
      deleted: 2,
      uncommitted: 1,
    }),
    outputEnd: async () => undefined,
    where: (name) => name,
  })
  const rule: Rule = { by: 'tasks', decision: 'stop', reason: maximum, bound: 2, setBy: 'flag -n', seq: 14 }
  const last = { task: 'iteration-2', attempt: 1, outcome: 'ok', verdict: 'failed: gate failed (exit 1)' }
  return {
    id: 'r1',
    name: 'build',
    standing: 'failed',
    reason: maximum,
    says: 'reached max iterations',
    rule,
    last,
    underWay: null,
    problem: null,
    waitsUntil: null,
    spend: summarizeSpend(state),
    next: { do: 'resume', run: 'r1' },
    startedAt: 0,
    lastAt: 0,
    origins: {},
    question: null,
    state,
    facts,
  }
}

describe('a report', () => {
  test('shows changes, gates, iterations, spending and the next command', async () => {
    const { events, view } = play([
      ...iteration(1, passed(1), { tokens: 1200, costUsd: 0.5 }),
      ...iteration(2, gateFailed(0, 1), { data: { changed: false } }),
      ...ended('failed', maximum, 'tasks'),
    ])
    const report = await reportOf(events, view.state)
    expect(sectionTexts(procedureShow.report(report, about))).toEqual([
      {
        title: 'WHAT CHANGED since aaaaaaaaaa',
        lines: [
          '12 commits',
          ...Array.from({ length: 10 }, (_, index) => `  cccccccccc Commit ${index}\\nmore`),
          '  and 2 more',
          '2 files, +1 -2, 1 not committed',
          '  src/a.ts  +1 -2',
          '  logo.png  binary  added',
        ],
      },
      { title: 'GATES', lines: ['failed  npm test  iteration-2, 2026-02-14 22:06'] },
      {
        title: 'ITERATIONS',
        lines: [
          'TASK         TRY  ATTEMPT  VERDICT                       DECISION  TIME   CHANGED  TOKENS  COST',
          'iteration-1  1    ok       passed                        done      3m00s           1,200   $0.50',
          'iteration-2  1    ok       failed: gate failed (exit 1)  failed    3m00s  no',
        ],
      },
      { title: 'SPENT', lines: ['2 of 2 iterations, at least 1,200 tokens, at least $0.50, 6m00s active'] },
      { title: 'NEXT', lines: ['pawl resume r1'] },
    ])
    expect(procedureShow.notices(report, about).map(({ about }) => about)).toEqual([
      'gate-failed',
      'nothing-changed',
      'not-committed',
    ])
    expect(blockTexts(procedureShow.why(report, about))).toEqual([
      '  rule   max_iterations: reached max iterations (bound 2), set by flag -n (event 14)',
      '  last   iteration-2 attempt 1: ok; verdict failed: gate failed (exit 1)',
      '  spent  2 of 2 iterations, at least 1,200 tokens, at least $0.50, 6m00s active',
      '  next   pawl resume r1',
    ])
  })

  test('of a running run shows the current activity and its start', async () => {
    const { events, view } = play(iteration(1, passed(1)).slice(0, 2))
    const underWay = { doing: 'attempt', task: 'iteration-1', attempt: 1, since: 1000 } as const
    const report = { ...(await reportOf(events, view.state)), standing: 'running', underWay } as const
    const rows = sectionTexts(procedureShow.report(report, about), { now: 91_000 }).find(
      ({ title }) => title === 'ITERATIONS',
    )!.lines
    expect(rows[1]).toMatch(/^iteration-1 +1 +running +1m30s$/)
    expect(blockTexts(procedureShow.why(report, about), { now: 91_000 })[0]).toBe(
      '  now    running iteration 1 since 1m30s',
    )
    expect(procedureShow.doing({ ...underWay, doing: 'evaluate' }, about, view)).toBe(
      'running the gates of iteration 1',
    )
  })
})

test('progress counts iterations that have begun', () => {
  const { view } = play([...iteration(1, passed(1)), ...iteration(2, passed(1)).slice(0, 2)])
  expect(procedureShow.progress(view, about)).toEqual({ progress: '2/2', did: { iterations: 2, of: 2 } })
  expect(procedureShow.progress(play([], {}).view, about)).toEqual({ progress: '0', did: { iterations: 0, of: null } })
})

test('bounds say what is used of what, and which of them ended the run', () => {
  const spent = { code: 'cap_spent', cap: 'costUsd' }
  const { view } = play([...iteration(1, passed(1), { costUsd: 3 }), ...ended('failed', spent, 'costUsd')], {
    tasks: 2,
    costUsd: 2,
  })
  expect(procedureShow.bounds(view.state, about)).toEqual([
    { cap: 'tasks', name: 'iterations', used: 1, of: 2, unit: 'count' },
    { cap: 'costUsd', name: 'cost', used: 3, of: 2, unit: 'usd', atLeast: true, fired: true },
  ])
})
