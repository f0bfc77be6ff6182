import { describe, expect, test } from 'vitest'
import { decidesVerification, findTampering } from '../../../../../src/modes/delivery/core/tampering/find-tampering.ts'
import { added, deleted, edit, modified } from './cases/case.ts'
import { suites } from './cases/suites.ts'

const about = { commands: ['npm test'], focus: [] as string[] }
const cart = suites['src/cart.test.ts']
const go = suites['cart/cart_test.go']

describe('messages', () => {
  test('name the old and the new line', () => {
    const touched = [
      edit('src/cart.test.ts', cart, 'expect(total(cart)).toBe(3)', 'expect(total(cart)).toBeDefined()'),
      modified('package.json', '{"scripts":{"test":"vitest run"}}', '{"scripts":{"test":"vitest run || true"}}'),
      edit('tests/test_cart.py', suites['tests/test_cart.py'], '    cart =', '    return\n    cart ='),
      edit('cart/cart_test.go', go, go.slice(go.indexOf('func TestAdds')), ''),
    ]
    expect(findTampering(touched, about).map(({ says }) => says)).toEqual([
      '2 tests removed: `func TestAdds(t *testing.T) {`',
      '`return` was added before `cart = [1, 2]`',
      '`expect(total(cart)).toBe(3)` became `expect(total(cart)).toBeDefined()`',
      '"test": "vitest run" became "vitest run || true"',
    ])
  })

  test('are one line under 200 characters without control characters, whatever the file contains', () => {
    const line = `expect("${'x'.repeat(500)}\u001b[31m\u202e\u0007").toBe(1)`
    const [found] = findTampering([modified('a.test.ts', `${line}\n`, `${line.replace('1)', '2)')}\n`)], about)
    expect(found?.says.length).toBeLessThan(200)
    expect(found?.says).toMatch(/^[^\p{Cc}\p{Cf}]+$/u)
  })

  test('report several findings of a kind in a file once, with a count', () => {
    const found = findTampering([modified('src/cart.test.ts', cart, cart.replaceAll('test(', 'test.skip('))], about)
    expect(found).toHaveLength(1)
    expect(found[0]?.says).toMatch(/, and 1 more$/)
  })

  test('are at most 50, the most serious first', () => {
    const ci = Array.from({ length: 60 }, (_, i) => deleted(`.github/workflows/${i}.yml`, 'on: push\n'))
    const found = findTampering([...ci, deleted('a.test.ts', 'test()\n')], about)
    expect(found).toHaveLength(50)
    expect(found[0]?.kind).toBe('test-deleted')
  })
})

describe('changes to files that the story names are expected', () => {
  const focus = ['src/cart.test.ts', './package.json']
  const find = (...touched: Parameters<typeof findTampering>[0]) => findTampering(touched, { ...about, focus })

  test('ordinary changes are', () => {
    expect(find(edit('src/cart.test.ts', cart, '[1, 2]', '[2, 1]'))).toMatchObject([
      { kind: 'test-changed', expected: true },
    ])
    expect(
      find(
        modified('package.json', '{"scripts":{"test":"vitest run"}}', '{"scripts":{"test":"vitest run --coverage"}}'),
      ),
    ).toMatchObject([{ kind: 'script-changed', expected: true }])
  })

  test('removing tests never is', () => {
    expect(find(deleted('src/cart.test.ts', cart))).toMatchObject([{ kind: 'test-deleted', expected: false }])
    expect(find(edit('src/cart.test.ts', cart, "test('adds", "test.skip('adds"))).toMatchObject([
      { kind: 'test-skipped', expected: false },
    ])
    expect(find(edit('src/cart.test.ts', cart, 'toBe(3)', 'toBeDefined()'))).toMatchObject([
      { kind: 'test-weakened', expected: false },
    ])
  })

  test('another file is not', () => {
    expect(find(edit('test/cart.js', suites['test/cart.js'], "'../cart'", "'../fake'"))).toMatchObject([
      { expected: false },
    ])
  })
})

describe('which files are examined', () => {
  test('files that decide verification, and source files only if a command lints', () => {
    const lint = { commands: ['npm run lint'], focus: [] }
    for (const path of ['a.test.ts', 'package.json', '.github/workflows/ci.yml', 'src/lib.rs'])
      expect(decidesVerification(path, about)).toBe(true)
    for (const path of [
      'src/a.ts',
      'README.md',
      'check.sh',
      'src/features/cart/index.ts',
      'models/net.pth',
      'spec/openapi.yaml',
    ])
      expect(decidesVerification(path, about), path).toBe(false)
    expect(decidesVerification('src/a.ts', lint)).toBe(true)
    expect(decidesVerification('README.md', lint)).toBe(false)
    expect(decidesVerification('check.sh', { commands: ['./check.sh'], focus: [] })).toBe(true)
  })

  test('package scripts extend what a command reaches', () => {
    const packageScripts = { test: 'npm run proof', proof: 'node tools/verify.js && eslint .' }
    const reached = { commands: ['npm test'], focus: [], packageScripts }
    expect(decidesVerification('tools/verify.js', reached)).toBe(true)
    expect(findTampering([modified('tools/verify.js', 'a()\n', 'b()\n')], reached)).toMatchObject([
      { kind: 'script-changed' },
    ])
    expect(findTampering([added('src/a.ts', '// @ts-ignore\n')], reached)).toMatchObject([{ kind: 'lint-changed' }])
  })
})
