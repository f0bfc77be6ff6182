import { describe, expect, test } from 'vitest'
import type { JudgeReply } from '../../../../src/modes/writing/contract/verdict.ts'
import { contradictsItself, decideTie, rejectBroken, storeVerdict } from '../../../../src/modes/writing/core/judge.ts'

const reply = (
  verdict: JudgeReply['verdict'],
  met: 'yes' | 'partly' | 'no',
  more: Partial<JudgeReply> = {},
): JudgeReply => {
  const rating = { met, why: 'so' }
  return {
    criteria: {
      feedback_addressed: rating,
      consistent_with_history: { met: 'yes', why: '' },
      quality_maintained: { met: 'yes', why: '' },
      appropriate_in_scope: { met: 'yes', why: '' },
      consistent_with_upstream: { met: 'yes', why: '' },
    },
    earlier_issues: [],
    specific_issues: [],
    suggestions: [],
    reasoning: 'Because.',
    verdict,
    ...more,
  }
}

describe('003-M32, 003-O02: a second judge decides when the first contradicts itself', () => {
  test('approved although a question is not met, or rejected without an issue, is a contradiction', () => {
    expect(contradictsItself(reply('approved', 'no'))).toBe(true)
    expect(contradictsItself(reply('needs_revision', 'yes'))).toBe(true)
  })
  test('small imperfections are none', () => {
    expect(contradictsItself(reply('approved', 'partly'))).toBe(false)
    expect(contradictsItself(reply('needs_revision', 'partly', { specific_issues: ['Too bright.'] }))).toBe(false)
    expect(contradictsItself(reply('needs_revision', 'yes', { specific_issues: ['Too bright.'] }))).toBe(false)
  })
  test('the second counts; if it contradicts itself too, the text is not approved', () => {
    const first = reply('approved', 'no')
    expect(decideTie(first, reply('approved', 'yes')).verdict).toBe('approved')
    expect(decideTie(first, reply('approved', 'no')).verdict).toBe('needs_revision')
  })
})

describe('the ledger of issues', () => {
  test('an issue keeps its id; answered ones are fixed; one that comes back is open again', () => {
    const one = storeVerdict(
      reply('needs_revision', 'partly', {
        specific_issues: ['The opening scene lacks darkness', 'Chapter 4 contradicts chapter 3'],
      }),
      [],
      1,
      'judge',
    )
    expect(one.ledger.map(({ id, state }) => [id, state])).toEqual([
      ['I1', 'open'],
      ['I2', 'open'],
    ])
    const two = storeVerdict(
      reply('needs_revision', 'partly', {
        earlier_issues: [{ id: 'I1', state: 'fixed' }],
        specific_issues: ['The ending is rushed'],
      }),
      one.ledger,
      2,
      'judge',
    )
    expect(two.ledger.map(({ id, state, raised }) => [id, state, raised])).toEqual([
      ['I1', 'fixed', 1],
      ['I2', 'open', 1],
      ['I3', 'open', 2],
    ])
    const three = storeVerdict(
      reply('needs_revision', 'partly', { specific_issues: ['the opening scene lacks darkness.'] }),
      two.ledger,
      3,
      'judge',
    )
    expect(three.ledger.find(({ id }) => id === 'I1')!.state).toBe('open')
  })
  test('an approved text has no open issue', () => {
    const known = rejectBroken(['chapter-03.md is empty.'], [], 1).ledger
    expect(storeVerdict(reply('approved', 'yes'), known, 2, 'judge').ledger).toEqual([
      expect.objectContaining({ id: 'I1', state: 'fixed' }),
    ])
  })
  test('what code rejects is an issue like any other', () => {
    expect(rejectBroken(['chapter-03.md is empty.'], [], 1)).toMatchObject({
      verdict: 'needs_revision',
      by: 'structure',
      specific_issues: ['chapter-03.md is empty.'],
    })
  })
})
