import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createKeyFeed } from '../../../src/surfaces/repl/key-feed.ts'
import { paste } from './session.ts'

/** A feed whose listener writes down what it gets, and stops being ready after a key of this name. */
function startFeed(last?: string) {
  const done: string[] = []
  let isReady = true
  const lines = createInterface({ input: new PassThrough(), output: new PassThrough(), terminal: true })
  const feed = createKeyFeed(lines, {
    isReady: () => isReady,
    onKey: (letters, key) => {
      done.push(key.name ?? letters ?? '')
      if (key.name === last) isReady = false
    },
    onPaste: (text) => void done.push(`paste ${text}`),
  })
  return {
    done,
    ...feed,
    takeAll: (...texts: string[]) => texts.forEach(feed.take),
    go: () => {
      isReady = true
      feed.drain()
    },
  }
}

test('a bracketed paste may be cut anywhere', () => {
  const all = `a${paste('one\rtwo')}b`
  for (let at = 1; at < all.length; at++) {
    for (let then = at; then < all.length; then++) {
      const { done, takeAll } = startFeed()
      takeAll(...[all.slice(0, at), all.slice(at, then), all.slice(then)].filter((text) => text !== ''))
      expect(done).toEqual(['a', 'paste one\rtwo', 'b'])
    }
  }
})

test('a paste and the Enter after it may come together, and what comes later waits', () => {
  const { done, takeAll, close } = startFeed('return')
  takeAll(`${paste('one\rtwo')}\rnext`, 'more')
  expect(done).toEqual(['paste one\rtwo', 'return'])
  expect(close()).toBe('nextmore')
})

test('keys and pastes that wait come in their order', async () => {
  const { done, takeAll, go } = startFeed('tab')
  takeAll('a\t\u001b[A', 'b', `${paste('p')}c`)
  expect(done).toEqual(['a', 'tab'])
  go()
  expect(done).toEqual(['a', 'tab', 'up', 'b', 'paste p', 'c'])
})

test('lines that come in pieces shortly after each other are one paste, until a key ends it', () => {
  const { done, takeAll } = startFeed()
  takeAll('one\r', 'two', '\rth', 'ree\r', '\u001b[A')
  expect(done).toEqual(['paste one\rtwo\rthree\r', 'up'])
})

test('Enter before other lines is a key', () => {
  const { done, takeAll } = startFeed()
  takeAll('\r\none\rtwo', '\u001b[A')
  expect(done).toEqual(['return', 'paste one\rtwo', 'up'])
})

test('one line with its Enter is typed; a long one is pasted', () => {
  const { done, takeAll } = startFeed()
  takeAll('ab\r', '\u001b[A', `${'x'.repeat(101)}\r`, '\u001b[A')
  expect(done).toEqual(['a', 'b', 'return', 'up', `paste ${'x'.repeat(101)}`, 'return', 'up'])
})
