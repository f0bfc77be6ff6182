import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTail } from '../../../src/adapters/shell/output.ts'

test('the tail is the end of everything pushed, however it came', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 25 })), (parts) => {
      const tail = createTail(10)
      for (const part of parts) tail.push(Buffer.from(part))
      expect(tail.text()).toBe(parts.join('').slice(-10))
    }),
  )
})

test('half a character at the start is left out', () => {
  const tail = createTail(10)
  tail.push(Buffer.from('€'.repeat(5)))
  expect(tail.text()).toBe('€€€')
})
