import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../../surfaces/cli/pawl.ts'
import { refineWorkspace } from './workspace.ts'

const sap = ['--preset', 'sap-0010'] as const
const good = [{ score: 85, text: 'one\n2\nthree\n' }]
const draft = 'one\ntwo\nthree\n'

test('a file ends with a diff and stays as it is', async () => {
  const { refine, put, read } = await refineWorkspace({ beats: good })
  put('note.md', draft)
  const { code, out } = await refine('note.md', ...sap)
  expect(code).toBe(0)
  expect(out).toContain('-two\n+2\n')
  expect(read('note.md')).toBe(draft)
})

test('--write writes it back, --out somewhere else, and only a run that completes does', async () => {
  const { refine, put, read, workspace } = await refineWorkspace({ beats: good })
  put('note.md', draft)
  expect((await refine('note.md', '--out', 'better.md', ...sap)).code).toBe(0)
  expect([read('note.md'), read('better.md')]).toEqual([draft, 'one\n2\nthree\n'])
  expect((await refine('note.md', '--write', ...sap)).code).toBe(0)
  expect(read('note.md')).toBe('one\n2\nthree\n')
  const weak = await refineWorkspace({ beats: [{ score: 60, text: 'weak' }] })
  weak.put('note.md', draft)
  const { code, err } = await weak.refine('note.md', '--write', ...sap)
  expect([code, weak.read('note.md')]).toEqual([30, draft])
  expect(err).toContain('--text')
  expect(existsSync(join(workspace, 'weak'))).toBe(false)
})

test('a result that cannot be handed over fails no run, and result.json is there', async () => {
  const { refine, put, read, root, dirOf } = await refineWorkspace({ beats: good })
  put('note.md', draft)
  const state = join(root, '.local', 'state', 'pawl')
  mkdirSync(state, { recursive: true })
  writeFileSync(join(state, 'hand-over'), '')
  const { code, err } = await refine('note.md', '--write', ...sap)
  expect([code, read('note.md')]).toEqual([20, draft])
  expect(err).toContain('hand-over')
  expect(JSON.parse(readFileSync(join(dirOf(), 'result.json'), 'utf8'))).toMatchObject({
    status: 'completed',
    exit: 20,
  })
})

test('a file that was changed meanwhile is not written over, and the text is not lost', async () => {
  const held = Promise.withResolvers<undefined>()
  const { refine, put, read, run, staged } = await refineWorkspace({
    beats: good,
    instead: (_, role) => (role === 'plan' ? held.promise : undefined),
  })
  put('note.md', draft)
  const going = refine('note.md', '--write', ...sap)
  await until(() => staged.calls('plan').length === 1, 'a plan')
  put('note.md', 'mine\n')
  held.resolve(undefined)
  const { err } = await going
  expect(read('note.md')).toBe('mine\n')
  expect(err).toContain('is not overwritten')
  expect((await run('show', '--text')).out).toBe('one\n2\nthree\n')
})

test('what was asked for at the start is still done after an interruption', async () => {
  const held = Promise.withResolvers<undefined>()
  let first = true
  const { refine, put, read, run, staged } = await refineWorkspace({
    beats: good,
    instead: (_, role) => (role === 'plan' && first ? held.promise : undefined),
  })
  put('note.md', draft)
  const going = refine('note.md', '--write', ...sap)
  await until(() => staged.calls('plan').length === 1, 'a plan')
  going.child.kill('SIGKILL')
  await going
  first = false
  held.resolve(undefined)
  expect((await run('resume')).code).toBe(0)
  expect(read('note.md')).toBe('one\n2\nthree\n')
})

test('a task ends with its text on stdout, and nothing else is there', async () => {
  const { refine } = await refineWorkspace({ beats: good })
  expect((await refine('Write three lines', ...sap)).out).toBe('one\n2\nthree\n')
  expect((await refine('Write three lines', '-q', ...sap)).out).toBe('one\n2\nthree\n')
})

test('--json is a line an event and a result, without any text', async () => {
  const { refine } = await refineWorkspace({ beats: good })
  const { code, out } = await refine('Write three lines', '--json', ...sap)
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { result?: Record<string, unknown> })
  expect(code).toBe(0)
  expect(lines.at(-1)!.result).toMatchObject({
    status: 'completed',
    reason: { code: 'threshold_met' },
    score: 85,
    exit: 0,
    iterations: 3,
  })
  expect(out).not.toContain('three')
})

test('nobody answers: exit 20, what to do, and a resume that completes', async () => {
  let down = true
  const { refine, run } = await refineWorkspace({ beats: good, instead: () => (down ? { fault: 'error' } : undefined) })
  const { code, err } = await refine('Write three lines', ...sap)
  expect(code).toBe(20)
  expect(err).toContain('no model answers')
  down = false
  expect(await run('resume')).toMatchObject({ code: 0, out: 'one\n2\nthree\n' })
})

test('no iterations at all is no bound for a refinement, neither at its start nor when it goes on', async () => {
  const { refine, run } = await refineWorkspace({ beats: [{ score: 60 }] })
  expect((await refine('Write three lines', '-n', '0', ...sap)).code).toBe(2)
  expect((await refine('Write three lines', ...sap)).code).toBe(30)
  expect((await run('resume', '-n', '0')).code).toBe(2)
})

test('what went wrong is in the last lines, in why and in the log', async () => {
  const { refine, run, workspace } = await refineWorkspace({
    beats: [],
    instead: (_, role) => (role === 'write' ? { fault: 'overloaded' } : undefined),
  })
  const { code, err } = await refine('Refine PRD', ...sap)
  const detail = /Reason: no model answers: (.+)/.exec(err)?.[1]
  expect([code, detail]).toEqual([20, expect.stringMatching(/HTTP \d{3}/)])
  expect((await run('why')).out).toContain(detail)
  const log = readFileSync(join(workspace, 'agent_logs', 'sap.log'), 'utf8')
    .trim()
    .split('\n')
  expect(JSON.parse(log.at(-1)!)).toMatchObject({ event: 'abort', detail })
})
