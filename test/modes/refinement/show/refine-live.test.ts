import { expect, test } from 'vitest'
import type { Progress } from '../../../../src/contract/progress.ts'
import { emptyState, type LoopState } from '../../../../src/kernel/state.ts'
import { barOf, boundInWords } from '../../../../src/modes/refinement/show/bars.ts'
import { refineHeartbeat, refineLive } from '../../../../src/modes/refinement/show/live.ts'
import { createChatter } from '../../../../src/surfaces/terminal/chatter.ts'
import { createDisplay } from '../../../../src/surfaces/terminal/display.ts'
import { afterEvent, afterProgress, type Watched } from '../../../../src/surfaces/terminal/live.ts'
import { eventsOf, subjectOf } from './refinement.ts'

const at = new Date(2026, 1, 14, 10, 3, 12).getTime()
const now = { at, ms: 100_000 }
const base: LoopState = {
  ...emptyState,
  caps: { attemptsPerRun: 7, tokens: 80_000, activeMs: 600_000 },
  attempts: 2,
  tokens: 23_588,
  activeMs: 60_000,
  task: { id: 'phase-2', kind: 'work' },
  via: 'ollama',
  running: true,
}
const writing: Progress = {
  phase: 'model',
  role: 'generate',
  via: 'ollama',
  says: '',
  usage: { tokens: 412, costUsd: null },
}
const watched = (more: Partial<LoopState> = {}, said: Progress | undefined = writing): Watched => ({
  state: { ...base, ...more },
  eventMs: 82_000,
  saidMs: 99_000,
  said,
  usage: said?.usage,
})
const texts = (one: Watched): string[] => refineLive(one, now, subjectOf('standard')).map(({ text }) => text)

test('while a model writes: what it works on, the bars, and which bound fires first', () => {
  expect(texts(watched())).toEqual([
    'Draft, Llama 3.1 70B: 412 tokens, 18s',
    'iterations [###.....] 2/7  tokens [###.|...] 30%  time [#.......] 10%',
    'first bound: iterations in 5 iterations; a stronger model in ~2 iterations',
  ])
  expect(refineHeartbeat(watched(), now, subjectOf('standard'))).toBe(
    '[10:03:12] Draft, Llama 3.1 70B: 412 tokens, 18s; 2 of 7 iterations, 24,000 of 80,000 tokens ' +
      '(a stronger model from 40,000), 1m00s of 10m00s; ' +
      'first bound: iterations in 5 iterations; a stronger model in ~2 iterations',
  )
})

test('each kind of call says what it is for', () => {
  const first = (role: 'judge' | 'decompose' | 'calibrate' | 'single-shot'): string =>
    texts(watched({}, { ...writing, role, via: 'grok' }))[0]!
  expect(first('judge')).toBe('Draft, judged by Grok 4.1: 412 tokens, 18s')
  expect(first('decompose')).toBe('Finding phases, Grok 4.1: 412 tokens, 18s')
  expect(first('calibrate')).toBe('Measuring the judge Grok 4.1: 412 tokens, 18s')
  expect(first('single-shot')).toBe('One last try, Grok 4.1: 412 tokens, 18s')
})

test('silence, estimates and what is not known are told as such', () => {
  const estimated = { ...writing, usage: { tokens: 412, costUsd: null, estimated: true } } as const
  expect(refineLive({ ...watched({}, estimated), saidMs: 92_000 }, now, subjectOf('standard'))[0]?.text).toBe(
    'Draft, Llama 3.1 70B: ~412 tokens, 18s, silent for 8s',
  )
  expect(texts({ ...watched(), said: undefined, usage: undefined })[0]).toBe('Draft, Llama 3.1 70B: no word yet, 18s')
  const silent: Progress = { phase: 'model', role: 'generate', via: 'ollama', says: '' }
  expect(texts(watched({}, silent))[0]).toBe('Draft, Llama 3.1 70B: 18s')
})

test('a pause, a wait and an end look as they do in every run', () => {
  const idle = { ...watched({ running: false, question: { id: 'q', topic: 'paused' } }), said: undefined }
  expect(texts(idle)[0]).toBe('paused, for 18s; go on with: pawl answer')
  const wait = { until: at + 9000, ms: 9000 }
  expect(texts({ ...watched({ running: false, wait }), said: undefined })[0]).toMatch(/^waiting .*9s left/)
  expect(texts(watched({ ended: { ending: 'completed', reason: 'x' } }))).toEqual([])
})

test('a call that has ended says no more, and its tokens are not counted twice', () => {
  const call = { key: 'g', via: 'ollama', status: 'ok', usage: { tokens: 412, costUsd: null }, providerMs: 1 } as const
  const [event] = eventsOf([{ type: 'call-ended', call }])
  const before = afterProgress({ ...watched(), said: undefined }, writing, 99_000)
  const after = afterEvent(before, event!, { ...base, tokens: 24_000 }, 99_500)
  expect(after).toMatchObject({ said: undefined, usage: undefined })
  expect(texts(after)[1]).toContain('tokens [###.|...] 30%')
})

test('a bar shows what was begun, is full only when all is spent, and marks where a stronger model takes over', () => {
  const bar = (used: number, soft?: number): string => barOf({ name: 'tokens', used, of: 100, ...(soft && { soft }) })
  expect(bar(0)).toBe('tokens [........] 0%')
  expect(bar(1)).toBe('tokens [#.......] 1%')
  expect(bar(99.9)).toBe('tokens [#######.] 99%')
  expect(bar(130)).toBe('tokens [########] 100%')
  expect(bar(70, 50)).toBe('tokens [####|#..] 70%')
  expect(barOf({ name: 'overhead', used: 5, of: 10, atLeast: true })).toBe('judging [####....] >=50%')
  expect(boundInWords({ name: 'cost', used: 0.5, of: 2, atLeast: true })).toBe('at least $0.50 of $2.00')
})

test('where nothing can be redrawn, a line of it comes now and then', async () => {
  const lines: string[] = []
  const io = { out: (line: string) => void lines.push(line), screen: undefined, unread: () => 0 }
  const display = createDisplay(io, {
    subject: { name: 'prd', refine: subjectOf('standard') },
    live: false,
    verbose: false,
    heartbeatMs: 20,
  })
  const [event] = eventsOf([{ type: 'attempt-started', via: 'ollama' }])
  display.event(event!, { state: base, memo: {} })
  display.progress(writing)
  await expect.poll(() => lines.join('\n')).toMatch(/\] Draft, Llama 3\.1 70B: 412 tokens, .*2 of 7 iterations/)
  display.close()
})

test('of a model that writes, lines are repeated once they are whole', () => {
  const chatter = createChatter()
  chatter.hear(writing)
  chatter.hear({ ...writing, says: '# Outline' })
  expect(chatter.take(false)).toEqual(['  | # Outline'])
})
