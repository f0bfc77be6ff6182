import { expect, test } from 'vitest'
import { emptyState, type LoopState } from '../../../src/kernel/state.ts'
import type { Executed } from '../../../src/run/execution/execute.ts'
import type { OpenRun } from '../../../src/run/open-run.ts'
import { defaultReasons, defaultSetting } from '../../../src/show/reasons.ts'
import { formatEnding } from '../../../src/surfaces/terminal/drive-run.ts'

const mode = { reasons: defaultReasons, show: { setting: defaultSetting } }
const open = {
  stored: { entry: { id: 'r1', name: 'build', address: '/out' } },
  use: (body: (mode: unknown) => unknown) => body(mode),
} as unknown as OpenRun
const executed = (more: Partial<Executed>, state: Partial<LoopState> = {}): Executed => ({
  exit: 0,
  status: 'ended',
  state: { ...emptyState, ...state },
  result: {},
  ...more,
})
const words = (
  one: Executed,
  { again, silent = false }: { again?: string; silent?: boolean } = {},
): string | undefined => formatEnding(one, open, { program: 'rooda', again, silent })

test('the last line is the command that continues', () => {
  expect(words(executed({ status: 'interrupted', exit: 130 }))).toMatch(
    /^\[\d\d:\d\d:\d\d\] Interrupted\. State saved\. Resume with: rooda resume build$/,
  )
  expect(words(executed({ exit: 30 }))).toBe('To see why: rooda why build. To resume: rooda resume build')
  expect(words(executed({ exit: 30 }), { again: 'rooda execute x' })).toBe('To resume: rooda execute x')
  expect(words(executed({ status: 'unsaved', exit: 20, error: new Error('no space left') }))).toBe(
    'rooda: no space left. Saved work is kept. To resume: rooda resume build',
  )
  expect(words(executed({}))).toBeUndefined()
})

test('a question comes with the command that answers it', () => {
  const asking = (choices?: string[]): Executed =>
    executed(
      { status: 'waiting', exit: 10 },
      { question: { id: 'q', topic: { code: 'paused' }, ...(choices && { choices }) } },
    )
  expect(words(asking())).toBe('The run is paused. To continue: rooda resume build')
  expect(words(asking(['yes', 'no']), { again: 'rooda execute x' })).toBe(
    'The run asks: paused. Answer with: rooda answer /out <yes|no>, then: rooda execute x',
  )
  expect(words(executed({ status: 'waiting', exit: 20 }))).toBe('The run is waiting. To resume: rooda resume build')
})

test('a run that had nothing left to do says so, and how it goes further where a number bounds it', () => {
  const ended = { ending: 'completed', reason: { code: 'cap_spent', cap: 'tasks' } } as const
  expect(words(executed({}, { ended, caps: { tasks: 3 } }), { silent: true })).toBe(
    'build is already completed (iteration limit reached). To continue: rooda resume build --max-iterations N',
  )
  expect(words(executed({}, { ended }), { silent: true })).toBe('build is already completed (iteration limit reached).')
})
