import { describe, expect, test } from 'vitest'
import type { HistoryEntry } from '../../../../src/modes/writing/contract/project.ts'
import { digestHistory } from '../../../../src/modes/writing/core/history.ts'
import { decideFreshness } from '../../../../src/modes/writing/core/level/made-from.ts'
import { formatRanges } from '../../../../src/modes/writing/core/ranges.ts'
import { classifyFeedback, summarizeStats } from '../../../../src/modes/writing/core/stats.ts'

const entry = (number: number, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  timestamp: `2026-01-01T00:00:${String(number).padStart(2, '0')}Z`,
  feedback: `Feedback number ${number} about the bells`,
  judge_attempts: 1,
  judge_verdict: 'approved',
  judge_reasoning: 'Fine.',
  semantic_summary: `Summary ${number}: ${'the bells ring louder and louder '.repeat(6)}`,
  commit_sha: null,
  files_changed: 1,
  lines_changed: 2,
  ...more,
})
const estimateTokens = (text: string): number => Math.ceil(text.length / 4)
const newestFirst = (count: number): HistoryEntry[] => Array.from({ length: count }, (_, at) => entry(count - at))

describe('003-H15, 003-M31, 003-F25, 003-O01: the history in a prompt', () => {
  test('is complete and oldest first while it fits', () => {
    const { lines, omitted } = digestHistory(newestFirst(3), { tokens: 10_000, estimateTokens })
    expect([lines.map(({ feedback }) => feedback), omitted]).toEqual([
      [1, 2, 3].map((number) => entry(number).feedback),
      0,
    ])
    expect(lines.every(({ summary }) => summary !== undefined)).toBe(true)
  })
  test('a long one becomes a digest within the budget: the newest in full, older ones by their feedback, the oldest by their number', () => {
    const { lines, omitted } = digestHistory(newestFirst(200), { tokens: 2000, estimateTokens })
    expect(estimateTokens(JSON.stringify(lines))).toBeLessThanOrEqual(2100)
    expect([lines.at(-1)!.summary !== undefined, lines[0]!.summary]).toEqual([true, undefined])
    expect(omitted + lines.length).toBe(200)
    expect(omitted).toBeGreaterThan(0)
  })
  test('rejected changes are told', () => {
    expect(
      digestHistory([entry(1, { rejected: ['Marcus dies'] })], { tokens: 1000, estimateTokens }).lines[0],
    ).toMatchObject({ rejected: ['Marcus dies'] })
  })
})

describe('staleness is data', () => {
  const hashes = new Map([['treatment/treatment.md', 'aaa']])
  test('fresh, stale and unknown', () => {
    expect(decideFreshness({ 'treatment/treatment.md': 'aaa' }, hashes).state).toBe('fresh')
    expect(decideFreshness({ 'treatment/treatment.md': 'bbb' }, hashes)).toEqual({
      state: 'stale',
      because: ['treatment/treatment.md'],
    })
    expect(decideFreshness({ 'premise/x.json': 'ccc' }, hashes).state).toBe('stale')
    expect(decideFreshness(undefined, hashes).state).toBe('unknown')
  })
})

describe('003-M24: statistics', () => {
  test('count iterations, attempts, acceptance and spending, by level and kind of feedback', () => {
    const stats = summarizeStats(
      [
        {
          level: 'chapters',
          entries: [
            entry(2, { feedback: 'Make it darker', judge_attempts: 3 }),
            entry(1, { feedback: 'Shorten chapter 2' }),
          ],
        },
        { level: 'prose', entries: [] },
      ],
      [
        {
          did: { kind: 'iterate', target: 'chapters', overhead_tokens: 50 },
          standing: 'completed',
          spend: { tokens: 100, costUsd: 0.5 },
        },
        { did: { kind: 'iterate', target: 'chapters' }, standing: 'cancelled', spend: { tokens: 10, costUsd: 0 } },
      ],
    )
    expect(stats).toMatchObject({ iterations: 2, rejected: 1, meanAttempts: 2, tokens: 160, costUsd: 0.5 })
    expect(stats.levels).toEqual([{ name: 'chapters', accepted: 2, rate: 67 }])
    expect(stats.kinds.map(({ name, approvedAtOnce }) => [name, approvedAtOnce])).toEqual([
      ['tone', 0],
      ['shorten', 100],
    ])
  })
  test.for([
    ['Make chapter 3 darker with more internal conflict', 'tone'],
    ['Add a betrayal subplot', 'add'],
    ['Cut chapter 7 by half', 'shorten'],
    ['Remove the prologue', 'remove'],
    ['Swap chapters 2 and 3', 'structure'],
    ['Rename Tomas to Thomas', 'rename'],
    ['Fix the contradiction in act 2', 'fix'],
    ['Hm', 'other'],
  ] as const)('%s is %s', ([feedback, kind]) => expect(classifyFeedback(feedback)).toBe(kind))
})

test('numbers are shown as people write them', () => {
  expect([formatRanges([1, 5, 6, 7]), formatRanges([3]), formatRanges([2, 1, 2, 4])]).toEqual(['1, 5-7', '3', '1-2, 4'])
})
