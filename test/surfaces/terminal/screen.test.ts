import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { LoopEvent } from '../../../src/contract/event.ts'
import { createDisplay, mayRedraw } from '../../../src/surfaces/terminal/display.ts'
import { oneLine } from '../../../src/surfaces/terminal/plain-text.ts'
import { createScreen, cutToWidth, findChange } from '../../../src/surfaces/terminal/screen.ts'
import { decideColour, type StyledLine } from '../../../src/surfaces/terminal/styled.ts'
import { until } from '../cli/pawl.ts'
import { createTerminal } from './terminal.ts'

/** A screen on the small terminal; `say` tells what was written since the last time. */
function newScreen(columns = 40, rows = 10, env: NodeJS.ProcessEnv = {}) {
  const terminal = createTerminal(columns, rows)
  const tty = Object.assign(new EventEmitter(), { columns, rows })
  let written = ''
  let unread = 0
  const raw = (text: string): void => {
    written += text
    // As the kernel does on the way to a terminal.
    terminal.write(text.replace(/\r?\n/g, '\r\n'))
  }
  const sink = {
    line: (text: string) => raw(`${text}\n`),
    raw,
    unread: () => unread,
    closed: () => false,
    flush: async () => {},
  }
  const screen = createScreen(sink, tty as never, decideColour('auto', env, true))
  onTestFinished(() => screen.show([]))
  const said = (): string => {
    const all = written
    written = ''
    return all
  }
  const resize = (wide: number): void => {
    Object.assign(tty, { columns: wide })
    terminal.resize(wide)
    tty.emit('resize')
  }
  return { screen, terminal, said, resize, busy: (characters: number) => (unread = characters) }
}

const lines = (...all: string[]): StyledLine[] => all.map((text) => ({ text }))

test('finished lines stay above the live ones, and leaving takes the live ones away', () => {
  const { screen, terminal } = newScreen()
  screen.line('one')
  screen.show(lines('a', 'b', 'c'))
  screen.line('two\nthree')
  expect(terminal.text()).toEqual(['one', 'two', 'three', 'a', 'b', 'c'])
  expect(terminal.cursor()).toEqual({ row: 3, column: 0 })
  screen.show(lines('d'))
  expect(terminal.text()).toEqual(['one', 'two', 'three', 'd'])
  screen.show([])
  expect(terminal.text()).toEqual(['one', 'two', 'three', ''])
})

test('the screen looks the same whatever it showed before', () => {
  const word = fc.oneof(
    fc.string({ maxLength: 50 }),
    fc.constantFrom('12s ago: wörk', '13s ago: wörk', '漢字', 'e\u0301x', '👍 ok'),
  )
  const block = fc.array(word.map(oneLine), { maxLength: 3 })
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 8 }), (blocks) => {
      const { screen, terminal } = newScreen(30, 6)
      for (const [index, texts] of blocks.entries()) {
        screen.show(lines(...texts))
        if (index % 3 === 2) screen.line(`line ${index}`)
      }
      const fresh = newScreen(30, 6)
      for (const index of blocks.keys()) if (index % 3 === 2) fresh.screen.line(`line ${index}`)
      fresh.screen.show(lines(...blocks.at(-1)!))
      expect(terminal.text().join('\n').trimEnd()).toEqual(fresh.terminal.text().join('\n').trimEnd())
      expect(terminal.cursor()).toEqual(fresh.terminal.cursor())
      screen.show([])
      fresh.screen.show([])
    }),
    { numRuns: 300 },
  )
})

test('however the process leaves, live lines are taken away: it is listened for as long as there are any', () => {
  const { screen } = newScreen()
  const before = process.listenerCount('exit')
  screen.show(lines('a'))
  screen.show(lines('b', 'c'))
  expect(process.listenerCount('exit')).toBe(before + 1)
  screen.show([])
  expect(process.listenerCount('exit')).toBe(before)
})

test('what did not change is not written, a clock costs a few bytes, and the cursor is never hidden', () => {
  const { screen, said } = newScreen(120)
  const block = (seconds: number): StyledLine[] => [
    { text: `Iteration 2/10: agent, 1m${seconds}s`, look: 'bold' },
    { text: `last output ${seconds}s ago: ${'漢字'.repeat(40)}` },
    { text: 'at least 1,200 tokens, $0.03; first bound: max_time in ~3 iterations', look: 'dim' },
  ]
  screen.show(block(10))
  const first = said()
  expect(first).toContain('\u001b[1mIteration')
  screen.show(block(10))
  expect(said()).toBe('')
  screen.show(block(11))
  const clock = said()
  expect(clock.length).toBeLessThan(80)
  expect(first + clock).not.toContain('\u001b[?25')
})

test('without colour there are no looks, and FORCE_COLOR wins over NO_COLOR', () => {
  const styled = (env: NodeJS.ProcessEnv): boolean => {
    const { screen, said } = newScreen(40, 10, env)
    screen.show([{ text: 'x', look: 'bold' }])
    return said().includes('\u001b[1m')
  }
  expect([
    styled({}),
    styled({ NO_COLOR: '1' }),
    styled({ NO_COLOR: '1', FORCE_COLOR: '1' }),
    styled({ FORCE_COLOR: '0' }),
  ]).toEqual([true, false, true, false])
})

test('another width draws everything anew, and a low terminal shows one line', () => {
  const { screen, terminal, resize } = newScreen(40)
  screen.onChange(() => screen.show(lines('x'.repeat(60), 'second')))
  screen.show(lines('x'.repeat(60), 'second'))
  for (const columns of [20, 30, 9]) {
    resize(columns)
    expect(terminal.text()).toEqual([`${'x'.repeat(columns - 2)}…`, 'second'])
  }
  const low = newScreen(40, 4)
  low.screen.show(lines('a', 'b'))
  expect(low.terminal.text()).toEqual(['a'])
})

test('nothing is drawn while nobody reads, so that frames do not pile up', () => {
  const { screen, said, busy } = newScreen()
  screen.show(lines('a'))
  busy(1)
  said()
  for (let n = 0; n < 100; n++) screen.show(lines(`frame ${n}`))
  expect(said()).toBe('')
  screen.show([])
  expect(said()).toBe('\r\u001b[J')
})

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['漢字漢字', 8, '漢字漢字'],
  ['漢字漢字', 7, '漢字漢…'],
  ['漢字漢字', 6, '漢字…'],
  ['👍👍', 3, '👍…'],
  ['❤\ufe0fx', 2, '❤…'],
  ['❤\ufe0fx', 3, '❤\ufe0fx'],
  ['e\u0301e\u0301', 2, 'e\u0301e\u0301'],
  ['ᄒ\u1161\u11ab', 2, 'ᄒ\u1161\u11ab'],
  ['abc', 1, '…'],
  ['abc', 0, ''],
])('%j in %i columns is %j', (text, columns, expected) => {
  expect(cutToWidth(text, columns)).toBe(expected)
})

test('marks piled upon a letter are kept to a few', () => {
  expect(cutToWidth(`a${'\u0301'.repeat(100)}b`, 10)).toBe('a\u0301\u0301\u0301b')
})

test('the smallest change is told, and never by columns that are not certain', () => {
  expect(findChange('12s ago: wörk', '13s ago: wörk')).toEqual({ column: 1, text: '3', clear: false })
  expect(findChange('9s ago', '10s ago')).toEqual({ column: 0, text: '10s ago', clear: true })
  expect(findChange('a漢b', 'a漢c')).toEqual({ column: 0, text: 'a漢c', clear: true })
  expect(findChange('ae\u0301', 'aeb')).toEqual({ column: 1, text: 'eb', clear: true })
  expect(findChange('same', 'same')).toBeUndefined()
})

test('what an agent says becomes one plain line of a bounded length', () => {
  expect(oneLine('\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u001b[0m\r\n\tend\u0008')).toBe('red end\\u{8}')
  expect(oneLine('x'.repeat(1 << 20)).length).toBe(2001)
})

test.each([
  [{ TERM: 'xterm' }, {}, true],
  [{ TERM: 'xterm', CI: 'false', ACCESSIBLE: '0' }, {}, true],
  [{ TERM: 'dumb' }, {}, false],
  [{}, {}, false],
  [{ TERM: 'xterm', CI: 'true' }, {}, false],
  [{ TERM: 'xterm', ACCESSIBLE: '1' }, {}, false],
  [{ TERM: 'xterm' }, { plain: true }, false],
  [{ TERM: 'xterm' }, { quiet: true }, false],
])('with %j and %j redrawing is %s', (env, options, expected) => {
  expect(mayRedraw(env, options)).toBe(expected)
})

test('without a terminal a silence is broken by a line of where it stands', async () => {
  const out: string[] = []
  const io = { out: (line: string) => void out.push(line), screen: undefined, unread: () => 0, width: () => undefined }
  const rendering = { program: 'pawl', cwd: '/repo' }
  const display = createDisplay(io, { rendering, redraws: false, verbose: false, heartbeatMs: 200 })
  const began = performance.now()
  const since = Date.now()
  onTestFinished(() => display.close())
  display.live(() => ({ doing: [], bounds: [], brief: ['Iteration 2: agent, ', { is: 'since', at: since }] }))
  display.event({ type: 'attempt-started', task: 'iteration-2', at: 0 } as LoopEvent, [['Iteration 2 starting...']])
  await until(() => out.length > 0, 'a heartbeat')
  expect(performance.now() - began).toBeGreaterThan(150)
  const first = performance.now()
  await until(() => out.length > 1, 'another one')
  expect(performance.now() - first).toBeGreaterThan(100)
  expect(out.join('\n')).toMatch(/^\[\d\d:\d\d:\d\d\] Iteration 2: agent, 0s\n\[/)
  display.saved()
  expect(out.at(-1)).toMatch(/Iteration 2 starting\.\.\.$/)
})

test('where lines are redrawn, what goes on ticks below what is finished, and is gone when nothing goes on', async () => {
  const { screen, terminal } = newScreen(60)
  const io = { out: screen.line, screen, unread: () => 0, width: () => undefined }
  const rendering = { program: 'rooda', cwd: '/repo' }
  const display = createDisplay(io, { rendering, redraws: true, verbose: false })
  onTestFinished(() => display.close())
  const since = Date.now() - 500
  let isOver = false
  display.live(() =>
    isOver
      ? undefined
      : {
          doing: ['Iteration 2: agent, ', { is: 'since', at: since }],
          activity: ['\u001b[31mred\u001b[0m\ttext'],
          bounds: [],
          note: ['skip: ', { is: 'action', action: { do: 'resume', now: true } }],
          brief: [],
        },
  )
  display.event({ at: 0 } as LoopEvent, [['Iteration 2 starting...']])
  expect(terminal.text()).toEqual([''])
  display.saved()
  const shown = (seconds: number): string[] => [
    expect.stringMatching(/^\[\d\d:\d\d:\d\d\] Iteration 2 starting\.\.\.$/),
    `Iteration 2: agent, ${seconds}s`,
    'red text',
    'skip: rooda resume --now',
  ]
  expect(terminal.text()).toEqual(shown(0))
  await until(() => terminal.text()[1]!.endsWith('1s'), 'a second')
  expect(terminal.text()).toEqual(shown(1))
  isOver = true
  display.progress({ phase: 'agent', says: 'x' })
  await until(() => terminal.text().length < 4, 'the end')
  expect(terminal.text().slice(1)).toEqual([''])
})
