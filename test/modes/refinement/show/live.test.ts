import { expect, test } from 'vitest'
import type { Progress } from '../../../../src/contract/progress.ts'
import { emptyState, type LoopState } from '../../../../src/kernel/state.ts'
import type { RefinementMemo } from '../../../../src/modes/refinement/core/memo.ts'
import { refinementShow } from '../../../../src/modes/refinement/show/show.ts'
import { afterEvent, afterProgress } from '../../../../src/run/execution/listeners.ts'
import type { Watched } from '../../../../src/show/show.ts'
import { createAgentOutput, createDisplay, renderLive } from '../../../../src/surfaces/terminal/display.ts'
import { renderBar } from '../../../../src/surfaces/terminal/render.ts'
import { lineText } from '../../../support/render.ts'
import { aboutOf, eventsOf, policyOf } from './refinement.ts'

const now = new Date(2026, 1, 14, 10, 3, 12).getTime()
const about = aboutOf('standard')
const { memo } = policyOf(about)
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
const rendering = { program: 'pawl', cwd: '/repo', now, ticks: true } as const
type Seen = Watched<RefinementMemo>
const watched = (more: Partial<LoopState> = {}, said: Progress | undefined = writing): Seen => ({
  view: { state: { ...base, ...more }, memo },
  eventAt: now - 18_000,
  saidAt: now - 1000,
  said,
  usage: said?.usage,
  now,
})
const texts = (one: Seen): string[] => renderLive(refinementShow.live(one, about), rendering).map(({ text }) => text)
const brief = (one: Seen): string => lineText(refinementShow.live(one, about).brief, rendering)

test('while a model writes: what it works on, the bars, and which bound fires first', () => {
  expect(texts(watched())).toEqual([
    'Draft, Llama 3.1 70B: 412 tokens, 18s',
    'iterations [###.....] 2/7  tokens [###.|...] 30%  time [#.......] 10%',
    'first bound: iterations in 5 iterations; a stronger model in ~2 iterations',
  ])
  expect(brief(watched())).toBe(
    'Draft, Llama 3.1 70B: 412 tokens, 18s; 2 of 7 iterations, 24,000 of 80,000 tokens ' +
      '(a stronger model from 40,000), 1m00s of 10m00s; ' +
      'first bound: iterations in 5 iterations; a stronger model in ~2 iterations',
  )
})

test('each kind of call says what it is for', () => {
  const first = (role: 'judge' | 'decompose' | 'calibrate' | 'single-shot'): string =>
    texts(watched({}, { ...writing, role, via: 'grok' }))[0]!
  expect(first('judge')).toBe('Draft, judged by Grok 4.1: 412 tokens, 18s')
  expect(first('decompose')).toBe('Planning phases, Grok 4.1: 412 tokens, 18s')
  expect(first('calibrate')).toBe('Calibrating the judge Grok 4.1: 412 tokens, 18s')
  expect(first('single-shot')).toBe('One last try, Grok 4.1: 412 tokens, 18s')
})

test('silence, estimates and what is not known are told as such', () => {
  const estimated = { ...writing, usage: { tokens: 412, costUsd: null, estimated: true } } as const
  expect(texts({ ...watched({}, estimated), saidAt: now - 8000 })[0]).toBe(
    'Draft, Llama 3.1 70B: ~412 tokens, 18s, silent for 8s',
  )
  expect(texts({ ...watched(), said: undefined, usage: undefined })[0]).toBe('Draft, Llama 3.1 70B: no output yet, 18s')
  const silent: Progress = { phase: 'model', role: 'generate', via: 'ollama', says: '' }
  expect(texts(watched({}, silent))[0]).toBe('Draft, Llama 3.1 70B: 18s')
})

test('a pause, a wait and an end look as they do in every run', () => {
  const idle = { ...watched({ running: false, question: { id: 'q', topic: { code: 'paused' } } }), said: undefined }
  expect(texts(idle)[0]).toBe('paused (for 18s); continue with: pawl resume')
  const wait = { until: now + 9000, ms: 9000 }
  expect(texts({ ...watched({ running: false, wait }), said: undefined })[0]).toMatch(/^waiting .*9s left/)
  const ended = watched({ ended: { ending: 'completed', reason: { code: 'threshold_met' } } })
  expect(refinementShow.live(ended, about)).toEqual({ doing: [], bounds: [], brief: [] })
})

test('a call that has ended says no more, and its tokens are not counted twice', () => {
  const call = { key: 'g', via: 'ollama', status: 'ok', usage: { tokens: 412, costUsd: null }, providerMs: 1 } as const
  const [event] = eventsOf([{ type: 'call-ended', call }])
  const before = afterProgress({ ...watched(), said: undefined }, writing, now - 1000)
  const after = afterEvent(before, event!, { state: { ...base, tokens: 24_000 }, memo }, now - 500)
  expect(after).toMatchObject({ said: undefined, usage: undefined })
  expect(texts({ ...after, now })[1]).toContain('tokens [###.|...] 30%')
})

test('a bar shows what was begun, is full only when all is spent, and marks where a stronger model takes over', () => {
  const bar = (used: number, from?: number): string =>
    renderBar({
      cap: 'tokens',
      name: 'tokens',
      unit: 'tokens',
      used,
      of: 100,
      ...(from && { soft: { from, says: 'a stronger model' } }),
    })
  expect(bar(0)).toBe('tokens [........] 0%')
  expect(bar(1)).toBe('tokens [#.......] 1%')
  expect(bar(99.9)).toBe('tokens [#######.] 99%')
  expect(bar(130)).toBe('tokens [########] 100%')
  expect(bar(70, 50)).toBe('tokens [####|#..] 70%')
})

test('where judging is counted apart it has a bar of its own, called so, and what is not told is at least that', () => {
  const seen = aboutOf('sap-0020')
  const state = { ...base, caps: { ...base.caps, costUsd: 2 }, costUsd: 0.5, overheadTokens: 5000, unknownCalls: 1 }
  const live = refinementShow.live({ ...watched(), view: { state, memo }, said: undefined, usage: undefined }, seen)
  const bars = live.bounds.map(renderBar)
  expect(bars.at(-1)).toBe('judging [##......] 25%')
  expect(bars[1]).toContain('>=')
  expect(lineText(live.brief, rendering)).toContain('at least $0.50 of $2.00, 5,000 of 20,000 tokens for judging')
})

test('where nothing can be redrawn, a line of it comes now and then', async () => {
  const lines: string[] = []
  const io = {
    out: (line: string) => void lines.push(line),
    screen: undefined,
    unread: () => 0,
    width: () => undefined,
  }
  const options = { rendering: { program: 'pawl', cwd: '/repo' }, redraws: false, verbose: false, heartbeatMs: 20 }
  const display = createDisplay(io, options)
  display.live(() => refinementShow.live(watched(), about))
  await expect.poll(() => lines.join('\n')).toMatch(/\] Draft, Llama 3\.1 70B: 412 tokens, .*2 of 7 iterations/)
  display.close()
})

test('of a model that writes, lines are repeated once they are whole', () => {
  const output = createAgentOutput()
  output.add(writing)
  output.add({ ...writing, says: '# Outline' })
  expect(output.take(false)).toEqual(['  | # Outline'])
})
