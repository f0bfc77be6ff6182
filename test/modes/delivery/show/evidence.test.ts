import { expect, test } from 'vitest'
import type { Outcome, Verdict } from '../../../../src/contract/event.ts'
import { listEvidence } from '../../../../src/modes/delivery/show/evidence.ts'

const touched = {
  kind: 'test-skipped',
  path: 'a.test.js',
  says: 'one test is skipped now',
  attempt: 2,
  expected: false,
}

const rows = (outcome: object, verdict: object) =>
  listEvidence({
    outcome: { status: 'ok', data: outcome } as Outcome,
    verdict: { status: 'passed', data: verdict } as Verdict,
  }).map(({ name, lines }) => [name, ...lines.flat()])

test('says what an attempt was judged by, and what it touched', () => {
  const runs = [
    { run: 'old-checks-again', ended: 'red' as const },
    { run: 'altered-values', ended: 'red' as const, times: 3 },
  ]
  expect(rows({}, { evidence: 'proven', place: 'clean_room', runs })).toEqual([
    ['evidence', 'proven: its commands failed before and pass now, with the tests and settings from before the story'],
    ['verified in', 'a clean room: a copy from before the first agent, with the files of the commit'],
    [
      'other runs',
      'old-checks-again red: the tests and settings from before fail with the new code',
      'altered-values red: altered assertions fail, as they must (3 runs)',
    ],
  ])
  const later = { ...touched, path: 'b.test.js', expected: true }
  expect(rows({ tampering: [touched] }, { by: 'tampering', tampering: [later], moved: ['x.js'] })).toEqual([
    ['judged by', 'what it changed: files that decide verification'],
    [
      'touched',
      'a.test.js (test-skipped): one test is skipped now',
      'b.test.js (test-skipped): one test is skipped now. The story mentions this file',
    ],
    ['changed by its verification', 'x.js'],
  ])
  expect(listEvidence({ outcome: undefined, verdict: undefined })).toEqual([])
})
