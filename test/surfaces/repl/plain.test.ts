import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { until } from '../cli/pawl.ts'
import { echoProgram, newFiles, node, parseGot, startEcho } from './session.ts'

/** The program with a pipe instead of a terminal. */
function startPiped(stdin: 'pipe' | number = 'pipe') {
  const { folder, ...files } = newFiles()
  const child = spawn(node, [echoProgram], { cwd: folder, env: { ...files }, stdio: [stdin, 'pipe', 'inherit'] })
  let text = ''
  child.stdout!.setEncoding('utf8').on('data', (data: string) => (text += data))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { write: child.stdin!, ended, text: () => text, got: () => parseGot(text) }
}

test('ten thousand lines at once are ten thousand inputs, in order, also the last without a newline', async () => {
  const { write, ended, text, got } = startPiped()
  const lines = Array.from({ length: 10_000 }, (_, n) => `line ${n} äö`)
  write.end(lines.join('\n'))
  expect(await ended).toBe(0)
  expect(got()).toEqual([...lines.map((line) => ({ is: 'text', text: line })), { is: 'ended' }])
  expect(text()).not.toContain('\u001b')
  expect(text()).not.toContain('1> ')
  expect(text()).toContain('listeners as before')
})

test('lines are cleaned, a carriage return does not count, and an empty line is an input', async () => {
  const { write, ended, got } = startPiped()
  write.write('one\r\n\n   \n\u001b[31mred\u0007\tx\n')
  write.end(`long ${'x'.repeat(1024 * 1024)}`)
  await ended
  expect(got()).toMatchObject([
    { is: 'text', text: 'one' },
    { is: 'text', text: '' },
    { is: 'text', text: '' },
    { is: 'text', text: '[31mred\tx' },
    { length: 1024 * 1024 + 5 },
    { is: 'ended' },
  ])
})

test('lines are read one by one as they come, and the program ends although the pipe is open', async () => {
  const { write, ended, got, text } = startPiped()
  write.write('one\ntw')
  await until(() => got().length === 1, 'the first line')
  write.write('o\n')
  await until(() => got().length === 2, 'the second line')
  write.write('/exit\nnever read\n')
  expect(await ended).toBe(0)
  expect(got().map((input) => input.text)).toEqual(['one', 'two', '/exit'])
  expect(text()).toContain('listeners as before')
})

test('an input that cannot be read has ended', async () => {
  const { ended, got } = startPiped(openSync('/proc/self/mem', 'r'))
  expect(await ended).toBe(0)
  expect(got()).toEqual([{ is: 'ended' }])
})

test.each<Record<string, string>>([{ TERM: 'dumb' }, { ACCESSIBLE: '1' }])(
  'with %o the terminal edits the line itself, without escape codes',
  async (env) => {
    const { type, enter, seen, text, terminal } = await startEcho({ env })
    await type('abX\u007fc')
    await seen('c')
    expect(await enter()).toEqual({ is: 'text', text: 'abc' })
    await seen('2> ')
    // Lines that are pasted come at once.
    await type('one\rtwo\rthree')
    expect(await enter()).toEqual({ is: 'text', text: 'one\ntwo\nthree' })
    await seen('3> ')
    await type('\u0003')
    await seen(/Press Ctrl-C again[\s\S]*3> /)
    await type('\u0004')
    await seen('got {"is":"ended"}')
    expect((await terminal).text).toContain('listeners as before')
    expect(text()).not.toContain('\u001b')
  },
)

test('with TERM=dumb Ctrl-C twice leaves', async () => {
  const { type, seen, setClock } = await startEcho({ env: { TERM: 'dumb' } })
  await type('\u0003')
  await seen('Press Ctrl-C again')
  setClock(1000)
  await type('\u0003')
  await seen('got {"is":"interrupted"}')
})
