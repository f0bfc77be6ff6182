import { expect, test } from 'vitest'
import { createKeys } from '../../../src/surfaces/terminal/keys.ts'

function newKeys(refusal?: string) {
  const done: string[] = []
  const keys = createKeys({
    pause: () => done.push('pause'),
    stop: () => done.push('stop'),
    refuseFeedback: () => refusal,
    feedback: (text) => done.push(`feedback ${text}`),
    answer: (text) => done.push(`answer ${text}`),
    help: () => done.push('help'),
    signal: (name) => done.push(name),
    say: (text) => done.push(`say ${text}`),
    changed: () => {},
  })
  return { keys, done, press: (...all: string[]) => all.forEach(keys.take) }
}

test('each key has its action, in either case, and all others have none', () => {
  const { done, press } = newKeys()
  press('p', 'S', '?', 'x', ' ', '\r', '\u0003', '\u001a', '\u001c')
  expect(done).toEqual(['pause', 'stop', 'help', 'SIGINT', 'SIGTSTP', 'SIGQUIT'])
})

test('arrows and function keys are no commands, nor is pasted text', () => {
  const { done, press } = newKeys()
  press('\u001b[A', '\u001bOP', '\u001b[15~', 'please stop', 'ps')
  expect(done).toEqual([])
  press('pp')
  expect(done).toEqual(['pause'])
})

test('feedback is one line, edited as it is typed', () => {
  const { keys, done, press } = newKeys()
  press('f')
  expect(keys.typed()).toEqual({ is: 'feedback', text: '' })
  press('s', 'h', 'o', 'r', 't', 'x', '\u007f', ' 漢👍', '\u007f', '\u001b[D')
  expect(keys.typed()).toEqual({ is: 'feedback', text: 'short 漢' })
  press('\r')
  expect(keys.typed()).toBeUndefined()
  press('f', '\r', 'f', 'never sent', '\u001b', 'f', 'all gone', '\u0015', 'pasted\nsecond line')
  expect(done).toEqual(['feedback short 漢', 'feedback pasted'])
})

test('an answer is typed like feedback', () => {
  const { keys, done, press } = newKeys('no feedback')
  press('a', 's', 't', 'o', 'p')
  expect(keys.typed()).toEqual({ is: 'answer', text: 'stop' })
  press('\r')
  expect(done).toEqual(['answer stop'])
})

test('Ctrl-C works while a line is typed', () => {
  const { done, press } = newKeys()
  press('f', 'ab', '\u0003')
  expect(done).toEqual(['SIGINT'])
})

test('where feedback is not read, the key says so at once', () => {
  const { keys, done, press } = newKeys('not here')
  press('f')
  expect(keys.typed()).toBeUndefined()
  expect(done).toEqual(['say not here'])
})
