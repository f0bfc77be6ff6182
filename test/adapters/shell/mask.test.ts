import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMaskFactory } from '../../../src/adapters/shell/mask.ts'

function maskAll(secrets: readonly string[], chunks: readonly (string | Buffer)[]): string {
  const mask = createMaskFactory(secrets)()
  const parts = chunks.map((chunk) => mask.write(Buffer.from(chunk as string)))
  return Buffer.concat([...parts, mask.end()]).toString()
}

function everyCut(text: string | Buffer): Buffer[][] {
  const bytes = Buffer.from(text as string)
  return Array.from({ length: bytes.length + 1 }, (_, cut) => [bytes.subarray(0, cut), bytes.subarray(cut)])
}

const secret = 'p4ss/wörd+"with"?all&kinds'
const base64 = (text: string) => Buffer.from(text).toString('base64')

const spellings = {
  plain: secret,
  JSON: JSON.stringify(secret).slice(1, -1),
  URI: encodeURIComponent(secret),
  hex: Buffer.from(secret).toString('hex'),
  HEX: Buffer.from(secret).toString('hex').toUpperCase(),
}

describe('known values', () => {
  test.each(Object.entries(spellings))('%s: masked at every cut, and byte by byte', (_, spelling) => {
    const text = `before ${spelling} after`
    for (const chunks of everyCut(text)) expect(maskAll([secret], chunks)).toBe('before [secret] after')
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.of(byte))
    expect(maskAll([secret], bytes)).toBe('before [secret] after')
  })

  test.each(['', 'u', 'us', 'user:', 'user: '])('base64 after "%s": nothing of it but edges', (before) => {
    for (const url of [false, true]) {
      const encoded = base64(`${before}${secret}!`)
      const text = url ? encoded.replaceAll('+', '-').replaceAll('/', '_') : encoded
      for (const chunks of everyCut(text)) {
        const masked = maskAll([secret], chunks)
        expect(masked).toContain('[secret]')
        expect(masked.replace('[secret]', '').length).toBeLessThanOrEqual(Math.ceil(before.length / 3) * 4 + 8)
      }
    }
  })

  test('values under 8 characters are left alone', () => {
    for (const short of ['test', '1', '', '1234567'])
      expect(maskAll([short], ['a test 1 1234567'])).toBe('a test 1 1234567')
    expect(maskAll(['12345678'], ['a 12345678'])).toBe('a [secret]')
  })

  test('a value that begins another one, and values that overlap', () => {
    const secrets = ['AAAABBBBCCCC', 'AAAABBBB', 'BBBBCCCCDDDD']
    for (const chunks of everyCut('.AAAABBBBCCCC.')) expect(maskAll(secrets, chunks)).toBe('.[secret].')
    for (const chunks of everyCut('.AAAABBBBCCCCDDDD.')) expect(maskAll(secrets, chunks)).toBe('.[secret].')
    for (const chunks of everyCut('.AAAABBBB.AAAABBB.')) expect(maskAll(secrets, chunks)).toBe('.[secret].AAAABBB.')
  })

  test('the lines of a key and the secret fields of a JSON credential count alone', () => {
    const pem = '-----BEGIN X-----\nabcdefghijklmnop1\nqrstuvwxyz0123456\n-----END X-----'
    expect(maskAll([pem], ['1: qrstuvwxyz0123456'])).toBe('1: [secret]')
    const json = JSON.stringify({ type: 'service_account', private_key: 'very-private-key' })
    expect(maskAll([json], ['service_account very-private-key'])).toBe('service_account [secret]')
  })

  test('what cannot become a secret is handed on at once', () => {
    const mask = createMaskFactory(['password1234'])()
    expect(mask.write(Buffer.from('Working...')).toString()).toBe('Working...')
    expect(mask.write(Buffer.from(' pass')).toString()).toBe(' ')
    expect(mask.write(Buffer.from('port')).toString()).toBe('passport')
  })
})

const letters = 'a1B2c3D4e5F6g7H8i9J0'
const keys = [
  `sk-${letters}`,
  `sk-ant-api03-${letters.repeat(5)}`,
  `sk-proj-${letters}`,
  `ghp_${letters.repeat(2)}`,
  `gho_${letters.repeat(2)}`,
  `github_pat_11${letters}_${letters}`,
  'AKIAIOSFODNN7EXAMPLE',
  `xoxb-123456789012-${letters}`,
  `xoxp-1234567890-${letters}`,
  `AIza${letters}${letters}`.slice(0, 39),
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.${letters.repeat(30)}`,
]

describe('keys known by their looks', () => {
  test.each(keys)('%s at every cut', (key) => {
    for (const chunks of everyCut(`Authorization: Bearer ${key}\nnext`)) {
      expect(maskAll([], chunks)).toBe('Authorization: Bearer [secret]\nnext')
    }
  })

  test('a private key, head and body', () => {
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${`${letters.repeat(3)}\n`.repeat(20)}-----END RSA PRIVATE KEY-----\nnext`
    for (const chunks of everyCut(pem)) {
      expect(maskAll([], chunks)).toBe('[secret]-----END RSA PRIVATE KEY-----\nnext')
    }
  })

  test('a known value directly after a key, split at every two positions', () => {
    const bytes = Buffer.from(`ghp_${letters}${secret}.`)
    for (let first = 0; first <= bytes.length; first += 1) {
      for (let second = first; second <= bytes.length; second += 1) {
        const chunks = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)]
        expect(maskAll([secret], chunks)).toBe('[secret].')
      }
    }
  })

  test('ordinary words stay', () => {
    const text =
      'risk-management-of-things-2024 desk-top sk-circle-fade-dot-animation ghp_ AKIA eyJ. -----BEGIN CERTIFICATE-----\n'
    for (const chunks of everyCut(text)) expect(maskAll(['sk-known-value-1'], chunks)).toBe(text)
  })
})

test('the cut never matters', () => {
  const pieces = fc.constantFrom(
    ...keys,
    ...Object.values(spellings),
    'p4ss',
    ' ',
    '\n',
    'sk-',
    '-----BEGIN ',
    'AKIA',
    'x',
  )
  const streams = fc.array(pieces, { maxLength: 12 }).map((parts) => Buffer.from(parts.join('')))
  fc.assert(
    fc.property(streams, fc.array(fc.nat(400), { maxLength: 6 }), (bytes, cuts) => {
      const places = [...new Set([0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length])].sort(
        (a, b) => a - b,
      )
      const chunks = places.slice(1).map((place, index) => bytes.subarray(places[index], place))
      expect(maskAll([secret], chunks)).toBe(maskAll([secret], [bytes]))
    }),
    { numRuns: 500 },
  )
})

test.each(['sk-', 'eyJ', '-----BEGIN ', 'sk-a', 'eyJa.', ' eyJaaaaaaaaaaaa', '-', 'p4ss/w'])(
  'time stays linear on "%s" over and over',
  (piece) => {
    const chunk = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
    const mask = createMaskFactory([secret])()
    const startedAt = performance.now()
    for (let round = 0; round < 16; round += 1) mask.write(chunk)
    // 1 MiB; what is quadratic takes minutes.
    expect(performance.now() - startedAt).toBeLessThan(3000)
  },
)
