import { describe, expect, test } from 'vitest'
import type { Ending } from '../../src/contract/event.ts'
import { exitCodes } from '../../src/contract/exit.ts'
import type { Reason } from '../../src/contract/reasons.ts'
import type { CapName } from '../../src/contract/values.ts'
import type { Left } from '../../src/kernel/policy.ts'
import { emptyState, type LoopState } from '../../src/kernel/state.ts'
import { emptyMemo, type ProcedureMemo } from '../../src/modes/procedure/core/memo.ts'
import { procedureReasons } from '../../src/modes/procedure/core/reasons.ts'
import { chooseExit } from '../../src/run/errors.ts'

type Procedure = Left<ProcedureMemo>
const ended = (ending: Ending, reason: Reason, more: Partial<LoopState> = {}): Procedure => ({
  status: 'ended',
  view: { state: { ...emptyState, ended: { ending, reason }, ...more }, memo: emptyMemo },
})
const x: Reason = { code: 'x' }
const spent = (cap: CapName): Reason => ({ code: 'cap_spent', cap })

describe('how a run left becomes one exit code of the table', () => {
  const by = (who: string): Partial<LoopState> => ({ verdict: { status: 'failed', data: { by: who } } })
  const open = { state: emptyState, memo: emptyMemo }
  const asking = { state: { ...emptyState, question: { id: 'q', topic: { code: 't' } } }, memo: emptyMemo }
  test.each<[string, Procedure, string | undefined, number]>([
    ['completed', ended('completed', x), undefined, 0],
    ['blocked', ended('blocked', x), undefined, 10],
    ['cancelled', ended('cancelled', x), undefined, 130],
    ['a bound', ended('failed', spent('tokens')), undefined, 30],
    ['waits spent', ended('failed', spent('waitMs')), undefined, 20],
    ['crash loop', ended('failed', spent('interruptionsInARow')), undefined, 20],
    ['failures of the agent', ended('failed', spent('failuresInARow'), by('agent')), undefined, 20],
    ['failures of a gate', ended('failed', spent('failuresInARow'), by('gate')), undefined, 30],
    ['unsaved', { status: 'unsaved', error: new Error('x'), view: open }, undefined, 20],
    ['waiting for a person', { status: 'waiting', view: asking }, undefined, 10],
    ['waiting for a limit', { status: 'waiting', until: 5, view: open }, undefined, 20],
    ['SIGINT', { status: 'interrupted', view: open }, 'SIGINT', 130],
    ['SIGTERM', { status: 'interrupted', view: open }, 'SIGTERM', 143],
    ['SIGHUP', { status: 'interrupted', view: open }, 'SIGHUP', 129],
  ])('%s', (_name, left, signal, code) => {
    expect(chooseExit(procedureReasons, left, signal)).toBe(code)
    expect(exitCodes).toHaveProperty(String(code))
  })
})
