import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Story } from '../../../../src/modes/delivery/contract/plan.ts'
import type { DeliveryResult } from '../../../../src/modes/delivery/contract/result.ts'
import { ContractError } from '../../../../src/modes/delivery/start/input/contract-error.ts'

const sha256 = 'a'.repeat(64)

export const goodInput = {
  contract_version: 1,
  run_id: 'run_1',
  repo_path: '/srv/shop',
  prd_path: 'prds/checkout.md',
  base_branch: 'main',
  working_branch: 'work/checkout',
  limits: { story_max_attempts: 3, run_max_attempts: 9, story_timeout_minutes: 10, run_timeout_minutes: 60 },
  verification: {
    story_commands: ['npm test'],
    run_commands: ['npm run lint'],
    by_requirement: { 'AC-01': ['npm run e2e'] },
  },
  agent: { mode: 'ralph_fresh', model_hint: 'opencode' },
  policy: { tampering: 'block', dirty: 'refuse' },
}

export const storyOf = (id: string, depends_on: readonly string[] = []): Story => ({
  id,
  title: `Story ${id}`,
  depends_on,
  acceptance_criteria: [{ id: 'AC-01', text: 'It adds up', line: 3 }],
  file_focus: ['src/sum.ts'],
  verification: ['npm test'],
  source: { kind: 'task', id: null, line: 2, end_line: 5 },
  sha256,
})

export const planOf = (stories: readonly Story[]) => ({
  contract_version: 1,
  planner_version: 1,
  format: 'markdown',
  prd_sha256: sha256,
  stories,
  unmapped: [{ id: null, text: 'It is fast', line: 9 }],
  sha256,
})
export const goodPlan = planOf([storyOf('S1'), storyOf('S2', ['S1']), storyOf('S3', ['S1', 'S2'])])

export const goodResult: DeliveryResult = {
  contract_version: 1,
  run_id: 'run_1',
  status: 'failed',
  reason: 'attempt_budget_exhausted',
  stories: [
    {
      id: 'S1',
      title: 'Story S1',
      status: 'failed',
      attempts: 3,
      verification: 'failed',
      evidence: null,
      reason: 'attempt_budget_exhausted',
      because: 'npm test ended with 1',
      tampering: [
        { kind: 'test-skipped', path: 'test/sum.test.ts', says: 'a test is skipped now', expected: false, attempt: 2 },
      ],
      commit: null,
    },
  ],
  run_verification: 'not_run',
  summary: { completed: 0, failed: 1, skipped: 0, pending: 0, blocked: 0 },
  next_action: 'review',
  detail: null,
  exit: 30,
  seq: 41,
  spend: { attempts: 3, tokens: 900, cost_usd: 0.02, unknown_calls: 0, active_ms: 9000, wait_ms: 0 },
  sandbox: 'bubblewrap',
}

/** The same with one value replaced; `undefined` takes it away. */
export function withValue<T>(good: T, path: readonly (string | number)[], value: unknown): T {
  const copy = structuredClone(good)
  const steps = [...path]
  const last = steps.pop()!
  const holder = steps.reduce<Record<string, unknown>>(
    (part, step) => part[step] as Record<string, unknown>,
    copy as Record<string, unknown>,
  )
  if (value === undefined) delete holder[last]
  else holder[last] = value
  return copy
}

/** A folder on the real disk, gone when the test is. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-contract-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function fileWith(content: string | Uint8Array): string {
  const path = join(newFolder(), 'given.json')
  writeFileSync(path, content)
  return path
}

/** What a bad file must come to, whatever is bad about it. */
export function refusalOf(action: () => unknown): ContractError {
  let error: unknown
  try {
    action()
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(ContractError)
  const refusal = error as ContractError
  expect(refusal.exit).toBe(30)
  expect(refusal.message.length).toBeLessThan(500)
  expect(refusal.message).not.toMatch(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u)
  expect(refusal.message).toMatch(/^\S.*: .+, found .+, allowed: .+[.?]$/)
  expect(refusal.message).not.toMatch(/ {4}at |node:|Error:|Invalid input|undefined|\[object/)
  expect(refusal.hint).toMatch(/pawl (?:plan|schema run-input)/)
  return refusal
}

export function refusalOfFile(path: string, read: (path: string) => unknown): ContractError {
  const folder = join(path, '..')
  const before = readdirSync(folder)
  const refusal = refusalOf(() => read(path))
  expect(readdirSync(folder)).toEqual(before)
  expect(refusal.file).toBe(path)
  return refusal
}
