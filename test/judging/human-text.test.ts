import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanHumanText, maxHumanTextBytes } from '../../src/contract/human-text.ts'

test('control characters go, newline and tab stay, Windows line ends become one', () => {
  expect(cleanHumanText('a\r\nb\tc\u0000\u0007d\u001b[31m\u007fe\u009bf\rg\n')).toEqual({
    text: 'a\nb\tcd[31mefg\n',
    cut: false,
  })
})

test('64 KiB stay whole and one byte more is cut and told', () => {
  const whole = 'a'.repeat(maxHumanTextBytes)
  expect(cleanHumanText(whole)).toEqual({ text: whole, cut: false })
  expect(cleanHumanText(`${whole}b`)).toEqual({ text: whole, cut: true })
})

test.each(['é', '€', '🦓'])('the cut falls between characters: %s', (character) => {
  const { text, cut } = cleanHumanText(`x${character.repeat(maxHumanTextBytes)}`)
  expect(cut).toBe(true)
  expect(text).toBe(`x${character.repeat([...text].length - 1)}`)
  expect(maxHumanTextBytes - Buffer.byteLength(text)).toBeLessThan(Buffer.byteLength(character))
})

test('whatever was written, what comes is well-formed, small, clean, and stays so', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (written) => {
      const { text } = cleanHumanText(written)
      expect(text.isWellFormed()).toBe(true)
      expect(text).not.toMatch(/(?![\n\t])\p{Cc}/u)
      expect(cleanHumanText(text)).toEqual({ text, cut: false })
    }),
  )
})

test('half a character, which no file could hold, becomes the sign for that', () => {
  expect(cleanHumanText('a\ud83eb')).toEqual({ text: 'a\ufffdb', cut: false })
})
