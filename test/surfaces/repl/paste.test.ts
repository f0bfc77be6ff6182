import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { paste, startEcho } from './session.ts'

const numbered = (count: number): string => Array.from({ length: count }, (_, n) => `line ${n + 1}`).join('\n')

test('a paste of three lines is shown in one line and waits for Enter', async () => {
  const { type, enter } = await startEcho()
  await type(paste('one\rtwo\r\nthree'), '1> one⏎two⏎three')
  expect(await enter()).toEqual({ is: 'text', text: 'one\ntwo\nthree' })
})

test('a paste of fifty lines is shown as a tag, can be edited around, and comes back whole', async () => {
  const { type, enter } = await startEcho()
  await type(paste(numbered(50).replaceAll('\n', '\r')), '1> [pasted 50 lines]')
  await type(' and after', '1> [pasted 50 lines] and after')
  await type('\u0001before ', '1> before [pasted 50 lines] and after')
  expect(await enter()).toEqual({ is: 'text', text: `before ${numbered(50)} and after` })
})

test('a short paste is edited like typed text', async () => {
  const { type, enter } = await startEcho()
  await type(paste('first\nsecond'), '1> first⏎second')
  await type('\u007f'.repeat(7), '1> first')
  await type(paste('\nthird'), '1> first⏎third')
  await type('\u001b[D\u001b[DX', '1> first⏎thiXrd')
  expect(await enter()).toEqual({ is: 'text', text: 'first\nthiXrd' })
})

test('a tag is deleted as a whole, and the cursor jumps over it', async () => {
  const { type, enter } = await startEcho()
  await type(paste(numbered(5)), '1> [pasted 5 lines]')
  await type(paste(numbered(6)), '1> [pasted 5 lines][pasted 6 lines]')
  await type('\u001b[D-', '1> [pasted 5 lines]-[pasted 6 lines]')
  await type('\u001b[D\u007f', '1> -[pasted 6 lines]')
  expect(await enter()).toEqual({ is: 'text', text: `-${numbered(6)}` })
})

test('what is pasted is cleaned of control characters, and a line break at its end does not count', async () => {
  const { type, enter } = await startEcho()
  await type(paste('a\u0007b\u001b[31mc\td\u2028e\n'), '1> ab[31mc⇥d⏎e⏎')
  expect(await enter()).toEqual({ is: 'text', text: 'ab[31mc\td\ne' })
})

test('a terminal that does not bracket pastes: lines that come at once wait for Enter', async () => {
  const { type, enter } = await startEcho()
  await type('one\rtwo\rthree\r', '1> one⏎two⏎three⏎')
  await type('four', '1> one⏎two⏎three⏎four')
  expect(await enter()).toEqual({ is: 'text', text: 'one\ntwo\nthree\nfour' })
  await type(`${numbered(50)}\n`, '2> [pasted 50 lines]')
  expect(await enter()).toEqual({ is: 'text', text: numbered(50) })
})

test('one line that comes together with its Enter is submitted', async () => {
  const { type, seen } = await startEcho()
  await type('only one line\r')
  await seen('got {"is":"text","text":"only one line"}')
})

test('a bracketed paste that comes in pieces, even within its brackets, is one paste', async () => {
  const { type, enter } = await startEcho()
  for (const piece of ['\u001b[20', '0~one\rtw', 'o\rthree\u001b[2']) await type(piece)
  await type('01~!', '1> one⏎two⏎three!')
  expect(await enter()).toEqual({ is: 'text', text: 'one\ntwo\nthree!' })
})

test('Ctrl-C leaves a paste that the terminal never ends', async () => {
  const { type, enter } = await startEcho()
  await type('typed ', '1> typed')
  await type('\u001b[200~lost\u0003', '1>')
  await type('new', '1> new')
  expect(await enter()).toEqual({ is: 'text', text: 'new' })
})

test.each([
  ['many lines', `${'0123456789 äöü 漢字\n'.repeat(40_000)}end`, '1> [pasted 40001 lines]'],
  ['one line', 'x'.repeat(1024 * 1024), '1> [pasted 1048576 characters]'],
])('a paste of a megabyte in %s is not cut', async (_, text, shown) => {
  const { type, enter } = await startEcho()
  await type(paste(text), shown)
  const sha256 = createHash('sha256').update(text).digest('hex')
  expect(await enter()).toEqual({ length: text.length, sha256 })
})
