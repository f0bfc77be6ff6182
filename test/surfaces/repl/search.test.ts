import { expect, test } from 'vitest'
import { completeLine } from '../../../src/surfaces/repl/completion.ts'
import { createInterrupts } from '../../../src/surfaces/repl/interrupts.ts'
import { createSearch, findMatches } from '../../../src/surfaces/repl/search.ts'

test('letters are found in their order, in one piece before scattered, and then in the order of the entries', () => {
  const entries = ['shorten the intro', 'Fix Intro', 'fix it now, tro', 'other', 'fix the intro']
  expect(findMatches('fix intro', entries)).toEqual(['Fix Intro', 'fix it now, tro', 'fix the intro'])
  expect(findMatches('INTRO', entries)).toEqual(['shorten the intro', 'Fix Intro', 'fix the intro', 'fix it now, tro'])
  expect(findMatches('', entries)).toEqual(entries)
  expect(findMatches('oo', ['o', 'oxo'])).toEqual(['oxo'])
})

test('a search stays at its first and last match', () => {
  const search = createSearch(['b2', 'a', 'b1'])
  search.look('b')
  search.step(-1)
  expect(search.match()).toBe('b2')
  search.step(1)
  search.step(1)
  expect(search.match()).toBe('b1')
  search.look('x')
  search.step(1)
  expect(search.match()).toBeUndefined()
})

test('the first Ctrl-C on an empty line hints, the second within 2 s leaves', () => {
  let ms = 0
  const { press } = createInterrupts(() => ms)
  const at = (time: number, hasText = false) => {
    ms = time
    return press(hasText)
  }
  expect([at(0), at(100), at(340), at(2000)]).toEqual(['hint', 'nothing', 'nothing', 'leave'])
  expect([at(2500), at(4501)]).toEqual(['hint', 'hint'])
  expect([at(5000, true), at(5500), at(6000)]).toEqual(['clear', 'hint', 'leave'])
})

test('a completion adds what all candidates share, and lists them if that is nothing', async () => {
  const complete = (word: string, ...candidates: string[]) => completeLine(() => ({ word, candidates }), word)
  expect(await complete('/g', '/generate ', '/genre ')).toEqual({ word: '/g', insert: '/gen' })
  expect(await complete('/gen', '/generate ', '/genre ')).toEqual({ word: '/gen', list: '/generate  /genre' })
  expect(await complete('/x')).toEqual({ word: '/x' })
  expect(await complete('b', 'b', 'b')).toEqual({ word: 'b' })
  expect(await complete('', 'evil\u001b[2J', 'fine')).toEqual({ word: '', insert: 'fine' })
  const many = Array.from({ length: 45 }, (_, n) => `${n}`)
  expect((await complete('', ...many)).list).toMatch(/ 39 {2}and 5 more$/)
})

test('a completion that fails is none', async () => {
  expect(await completeLine(() => Promise.reject(new Error('no')), 'x')).toEqual({ word: '' })
  expect(await completeLine(undefined, 'x')).toEqual({ word: '' })
})
