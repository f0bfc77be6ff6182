import { expect, test } from 'vitest'
import type { Outcome, Verdict } from '../../../../src/contract/event.ts'
import type { FailedCommand } from '../../../../src/judging/commands.ts'
import type { Story } from '../../../../src/modes/delivery/contract/plan.ts'
import { formatCritique } from '../../../../src/modes/delivery/core/critique.ts'
import { formatPage } from '../../../../src/modes/delivery/core/page.ts'

const story = { id: 'S1', title: 'A sum', verification: ['npm test'] } as unknown as Story
const failed = {
  command: 'npm test',
  index: 0,
  log: 'x.log',
  exit: { status: 'exited', code: 1, stdoutTail: 'not ok 1 - adds', stderrTail: '', outputBytes: 15, truncated: false },
} as unknown as FailedCommand
const outcome = { status: 'ok', data: {} } as unknown as Outcome

test('the critique of a story that only the old checks refuse has what failed with them', () => {
  const failure = { by: 'evidence', says: 'refused', failed, restored: [] } as const
  const input = { story, attempt: 1, of: 4, failure, changes: { files: [], total: 0 }, earlier: [], outcome }
  const critique = formatCritique(input)
  expect(critique).toContain('not ok 1 - adds')
  expect(critique).toContain('Result: exit 1.')
  expect(critique).toContain('with the tests and settings as they were before the story')
})

test('its page has it below the commands that passed, and what each run shows', () => {
  const runs = [{ run: 'old-checks', ended: 'red' }]
  const verdict = { status: 'failed', detail: 'refused', data: { by: 'evidence', runs } } as unknown as Verdict
  const judged = { story, attempt: 1, outcome, verdict, commands: ['npm test'], failed: undefined, call: undefined }
  const page = formatPage({ ...judged, elsewhere: failed, prompt: '', diff: '' })
  expect(page).toContain('  - old-checks red: the tests and settings from before fail with the new code')
  expect(page).toMatch(
    /- passed: "npm test"[\s\S]*settings from before the story\n\n- exit 1: "npm test"[\s\S]*not ok 1 - adds/,
  )
})

test('the page of a story in a red suite says which tests are red, not that the command passed', () => {
  const red = { count: 7, tests: ['adds', 'takes'] }
  const verdict = { status: 'passed', data: { evidence: 'unproven', red } } as unknown as Verdict
  const judged = { story, attempt: 1, outcome, verdict, commands: ['npm test'], failed: undefined, call: undefined }
  const page = formatPage({ ...judged, elsewhere: undefined, prompt: '', diff: '' })
  expect(page).toContain('- run: "npm test"\n- still red, as before the story: 7 tests (adds, takes, …)')
})
