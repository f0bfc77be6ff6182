import { appendFileSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { until } from '../cli/pawl.ts'
import { createTerminal } from '../terminal/terminal.ts'
import { startEcho } from './session.ts'

const [up, down, left, esc] = ['\u001b[A', '\u001b[B', '\u001b[D', '\u001b']
const ctrl = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 64)
const readEntries = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as string)

async function startWithHistory(...entries: readonly string[]) {
  const session = await startEcho()
  for (const entry of entries) {
    await session.type(entry)
    await session.enter()
  }
  return session
}

test('up and down go through the history, and what was typed comes back', async () => {
  const { type, enter, files } = await startWithHistory('first', 'second', 'second')
  await type(up, '4> second')
  await type(up, '4> first')
  await type(down, '4> second')
  await type(down, '4>')
  await type(up + up, '4> first')
  expect(await enter()).toEqual({ is: 'text', text: 'first' })
  expect(readEntries(files.PROJECT)).toEqual(['first', 'second', 'first'])
  expect(readEntries(files.GLOBAL)).toEqual(['first', 'second', 'first'])
})

test('an entry of several lines comes back whole', async () => {
  const { type, enter } = await startWithHistory('\u001b[200~a\rb\rc\rd\re\u001b[201~')
  await type(up, '2> [5 lines: a b c d e]')
  expect(await enter()).toEqual({ is: 'text', text: 'a\nb\nc\nd\ne' })
})

test('Ctrl-R finds letters in their order, Ctrl-R again the next match, Enter takes it into the line', async () => {
  const { type, enter } = await startWithHistory('make it shorter', 'more irony', 'mind the rhythm')
  await type(ctrl('R'), 'history "": mind the rhythm')
  await type('mi', 'history "mi": mind the rhythm')
  await type(ctrl('R'), 'history "mi": more irony')
  await type(ctrl('R') + ctrl('R'), 'history "mi": make it shorter')
  await type(ctrl('S'), 'history "mi": more irony')
  await type('x', 'no match in the history "mix":')
  await type('\u007f\r', '4> mind the rhythm')
  await type('s', '4> mind the rhythms')
  expect(await enter()).toEqual({ is: 'text', text: 'mind the rhythms' })
})

test.each([
  ['Escape', esc],
  ['Ctrl-G', ctrl('G')],
  ['Ctrl-C', ctrl('C')],
])('%s ends a search and brings back what was typed', async (_, key) => {
  const { type, enter } = await startWithHistory('found')
  await type(`typed${left}${left}`, '2> typed')
  await type(`${ctrl('R')}fo`, 'history "fo": found')
  await type(key, '2> typed')
  await type('X', '2> typXed')
  expect(await enter()).toEqual({ is: 'text', text: 'typXed' })
})

test('Tab completes as far as the candidates agree, then lists them', async () => {
  const { type, enter, screen } = await startEcho()
  await type('/g\t', '1> /gen')
  await type('\t')
  await until(() => screen().text().includes('/generate  /genre'), 'the list')
  await type('e\t', '1> /generate')
  await type('b\t', '1> /generate "b c.md"')
  expect(await enter()).toEqual({ is: 'text', text: '/generate "b c.md" ' })
})

test('keys wait for a completion, and Ctrl-C ends one that never comes', async () => {
  const { type, enter, setClock } = await startEcho()
  await type('/g\te', '1> /gene')
  await type(ctrl('C'), '1>')
  setClock(1000)
  await type('/never', '1> /never')
  await type(`\tabc${ctrl('C')}`, '1>')
  await type('next', '1> next')
  expect(await enter()).toEqual({ is: 'text', text: 'next' })
})

test('Ctrl-C clears the line, then hints, then leaves; a held key counts once', async () => {
  const { type, seen, setClock, text, terminal } = await startEcho()
  const hint = 'Press Ctrl-C again within 2 s to exit, or type /exit'
  await type('some text', '1> some text')
  await type(ctrl('C'), '1>')
  setClock(200)
  // The letter shows that the key before it was taken.
  await type(`${ctrl('C')}x`, '1> x')
  await type('\u007f', '1>')
  expect(text()).not.toContain(hint)
  setClock(500)
  await type(ctrl('C'))
  await seen(hint)
  setClock(2501)
  await type(ctrl('C'))
  await until(() => text().split(hint).length === 3, 'the hint again, because 2 s are over')
  setClock(4501)
  await type(ctrl('C'))
  await seen('got {"is":"interrupted"}')
  expect((await terminal).text).toContain('listeners as before')
})

test('Ctrl-D ends an empty line and deletes in another', async () => {
  const { type, seen, terminal } = await startEcho()
  await type(`abc${left}${ctrl('D')}`, '1> ab')
  await type(`${ctrl('U')}${ctrl('D')}`)
  await seen('got {"is":"ended"}')
  expect((await terminal).text).toContain('listeners as before')
})

test('wide characters and emoji: the cursor is where the letter goes', async () => {
  const { type, enter, screen, wait } = await startEcho()
  // The cursor is moved after the line is drawn.
  const cursorAt = (column: number): Promise<void> =>
    wait(
      () => screen().cursor().column === column,
      () => `cursor at ${screen().cursor().column} instead of ${column}`,
    )
  await type('漢字👍é', '1> 漢字👍é')
  await cursorAt(3 + 2 + 2 + 2 + 1)
  await type(`${left}${left}X`, '1> 漢字X👍é')
  await cursorAt(3 + 2 + 2 + 1)
  await type('\u007f\u007f', '1> 漢👍é')
  expect(await enter()).toEqual({ is: 'text', text: '漢👍é' })
})

const long = Array.from({ length: 12 }, (_, n) => `word${n}`).join(' ')

test('a text longer than a narrow terminal is wide is edited and comes back whole', async () => {
  const { type, enter, screen } = await startEcho({ columns: 20 })
  const shown = (): string => screen().text().slice(1).join('|')
  await type(long)
  await until(
    () => shown() === '1> word0 word1 word2| word3 word4 word5 w|ord6 word7 word8 wor|d9 word10 word11',
    'the text',
  )
  await type(`${ctrl('A')}X${ctrl('E')}Y`)
  await until(
    () => shown() === '1> Xword0 word1 word|2 word3 word4 word5|word6 word7 word8 wo|rd9 word10 word11Y',
    'X and Y',
  )
  expect(await enter()).toEqual({ is: 'text', text: `X${long}Y` })
})

test.each([
  ['the end', ''],
  ['the start', ctrl('A')],
])('after a resize the line stands there once, with the cursor at %s', async (_, key) => {
  const { type, screen, resize, text, seen } = await startEcho({ columns: 40 })
  await type('a text of thirty-four characters..', '1> a text of thirty-four characters..')
  await type(key)
  await until(() => screen().cursor().column === (key === '' ? 37 : 3), 'the cursor')
  const emulated = screen(undefined, createTerminal(40, 24))
  const from = text().length
  emulated.resize(20)
  resize(20)
  await seen('characters..', from)
  expect(screen(from, emulated).text().slice(1)).toEqual(['1> a text of thirty-', 'four characters..'])
  await type('X')
  await seen('X', from)
})

test('a line that is printed meanwhile stands above the prompt', async () => {
  const { type, enter, screen, seen, pid } = await startEcho({ columns: 20 })
  await type(long)
  await until(() => screen().text().at(-1) === 'd9 word10 word11', 'the text')
  process.kill(pid(), 'SIGUSR2')
  await seen(/a notice[\s\S]*word11/)
  expect(screen().text().slice(1)).toEqual([
    'a notice in between',
    '1> word0 word1 word2',
    ' word3 word4 word5 w',
    'ord6 word7 word8 wor',
    'd9 word10 word11',
  ])
  expect(await enter()).toEqual({ is: 'text', text: long })
})

test('a text to edit is offered, an answer is not kept, and only spaces are nothing', async () => {
  const { type, enter, seen, files } = await startEcho({ env: { INITIAL: 'old\ntext', KEEP: 'no' } })
  await seen('old⏎text')
  await type('!', '1> old⏎text!')
  expect(await enter()).toEqual({ is: 'text', text: 'old\ntext!' })
  await type('   ')
  expect(await enter()).toEqual({ is: 'text', text: '' })
  expect(() => readFileSync(files.PROJECT)).toThrow('ENOENT')
})

test('the history of other projects comes after that of this one', async () => {
  const { type, enter, files, terminal } = await startWithHistory('here')
  await type('/exit')
  await enter()
  await terminal
  appendFileSync(files.GLOBAL, `${JSON.stringify('elsewhere')}\n`)
  const again = await startEcho({ env: files })
  await again.type(up, '1> /exit')
  await again.type(up, '1> here')
  await again.type(up, '1> elsewhere')
})

test('close ends a read, and the program ends although its terminal is open', async () => {
  const { type, seen, pid, terminal } = await startEcho({ env: { CLOSE: '1' } })
  await type('unfinished', '1> unfinished')
  process.kill(pid(), 'SIGUSR2')
  await seen('got {"is":"ended"}')
  expect((await terminal).text).toContain('listeners as before')
})
