import { describe, expect, test } from 'vitest'
import { type Found, isBlocking, updateIssues } from '../../../src/judging/scoring/issues.ts'
import type { Answer, Finding } from '../../../src/judging/scoring/read-reply.ts'
import type { Issue } from '../../../src/judging/scoring/score-data.ts'

const text = 'Boil water. Pour it over the leaves. Wait four minutes.'
const known = (id: string, more: Partial<Issue> = {}): Issue => ({
  id,
  state: 'open',
  severity: 'major',
  reopened: 0,
  quote: '',
  problem: `problem ${id} of its own kind`,
  raisedIn: 1,
  ...more,
})
const finding = (problem: string, quote = '', severity: Issue['severity'] = 'major'): Finding => ({
  problem,
  quote,
  severity,
})
const saying = (findings: readonly Finding[], answers: Record<string, Answer> = {}) => ({ findings, answers })
const afterwards = (more: Partial<Found>) => updateIssues({ known: [], readings: [], iteration: 1, text, ...more })

describe('a known issue', () => {
  test.each([
    ['open', 'fixed', 'fixed', 0],
    ['open', 'open', 'open', 0],
    ['open', 'regressed', 'open', 0],
    ['fixed', 'fixed', 'fixed', 0],
    ['fixed', 'regressed', 'open', 1],
    ['fixed', 'open', 'open', 1],
  ] as const)('%s and answered "%s" is %s, come back %d times', (state, answer, now, reopened) => {
    const issues = afterwards({ known: [known('I1', { state })], readings: [saying([], { I1: answer })] })
    expect(issues).toMatchObject([{ id: 'I1', state: now, reopened }])
  })

  test('keeps its state without an answer', () => {
    const issues = afterwards({
      known: [known('I1'), known('I2', { state: 'fixed' })],
      readings: [saying([], { I9: 'fixed' })],
    })
    expect(issues.map(({ state }) => state)).toEqual(['open', 'fixed'])
  })

  test('is decided by the majority of answers', () => {
    const answers = (...list: Answer[]) => list.map((answer) => saying([], { I1: answer }))
    const state = (...list: Answer[]) => afterwards({ known: [known('I1')], readings: answers(...list) })[0]!.state
    expect(state('fixed', 'open', 'fixed')).toBe('fixed')
    expect(state('fixed', 'open')).toBe('open')
  })

  test('found again by quote or similar words, stays the same issue and is open whatever the answers', () => {
    const milk = known('I1', { problem: 'It does not say how much milk to add' })
    const again = finding('It does not say how much milk one has to add')
    expect(afterwards({ known: [milk], readings: [saying([again], { I1: 'fixed' })] })).toEqual([milk])
    const leaves = known('I1', { quote: 'Pour it over the leaves.' })
    const other = finding('Quite other words', 'Pour it over the leaves.')
    expect(afterwards({ known: [leaves], readings: [saying([other])] })).toEqual([leaves])
  })

  test('fixed and found again, counts as reopened', () => {
    const fixed = known('I1', { state: 'fixed', reopened: 1 })
    const issues = afterwards({ known: [fixed], readings: [saying([finding(fixed.problem)])] })
    expect(issues).toMatchObject([{ id: 'I1', state: 'open', reopened: 2 }])
  })
})

describe('a new issue', () => {
  test('continues the numbering, major ones first, then by position', () => {
    const found = [
      finding('too short', 'Wait four minutes.', 'minor'),
      finding('how long', 'Wait four minutes.'),
      finding('how hot', 'Boil water.'),
    ]
    const issues = afterwards({ known: [known('I1'), known('I7')], readings: [saying(found)] })
    expect(issues.slice(2).map(({ id, problem }) => `${id} ${problem}`)).toEqual(['I8 how hot', 'I9 how long'])
  })

  test('found by two judges is one issue', () => {
    const one = finding('The amount of water is missing')
    expect(
      afterwards({ readings: [saying([one]), saying([finding('the amount of water is missing.')])] }),
    ).toHaveLength(1)
  })

  test('is late from the third iteration on if the text was already there', () => {
    const base = 'Boil water. Pour it over\nthe leaves.'
    const late = (quote: string, more: Partial<Found> = {}) =>
      afterwards({ iteration: 3, base, readings: [saying([finding('vague', quote)])], ...more })[0]!.late
    expect(late('Pour it over the leaves.')).toBe(true)
    expect(late('')).toBe(true)
    expect(late('Wait four minutes.')).toBeUndefined()
    expect(late('Pour it over the leaves.', { iteration: 2 })).toBeUndefined()
    expect(late('Pour it over the leaves.', { base: undefined })).toBeUndefined()
  })

  test('blocks if it is open, major and not late', () => {
    expect(isBlocking(known('I1'))).toBe(true)
    expect(isBlocking(known('I1', { state: 'fixed' }))).toBe(false)
    expect(isBlocking(known('I1', { severity: 'minor' }))).toBe(false)
    expect(isBlocking(known('I1', { late: true }))).toBe(false)
  })
})

test('the limit is twenty: fixed issues are dropped first, then new minor ones', () => {
  const many = Array.from({ length: 19 }, (_, at) => known(`I${at + 1}`, { state: at < 2 ? 'fixed' : 'open' }))
  const found = [
    finding('alpha beta'),
    finding('gamma delta'),
    finding('epsilon zeta', '', 'minor'),
    finding('eta theta', '', 'minor'),
  ]
  const issues = afterwards({ known: many, readings: [saying(found)] })
  expect(issues).toHaveLength(20)
  expect(issues.map(({ id }) => id)).not.toContain('I1')
  expect(issues.map(({ id }) => id)).not.toContain('I2')
  const oneTooMany = afterwards({ known: many, readings: [saying(found.slice(0, 2))] })
  expect(oneTooMany.map(({ id }) => id).slice(0, 2)).toEqual(['I2', 'I3'])
  expect(issues.slice(-3).map(({ id }) => id)).toEqual(['I20', 'I21', 'I22'])
})
