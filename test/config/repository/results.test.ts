import { describe, expect, test } from 'vitest'
import type { Gate } from '../../../src/config/repository/declared-gates.ts'
import { findPartial, findResults } from '../../../src/config/repository/results.ts'

const withFiles = (files: Readonly<Record<string, string>>) => ({
  has: (path: string) => path in files,
  text: (path: string) => files[path] ?? '',
  list: () => [],
})
const gate = (command: string, from = 'package.json'): Gate => ({ command, purpose: 'test', from })
const script = (text: string) => withFiles({ 'package.json': JSON.stringify({ scripts: { test: text } }) })

describe('where results of single tests are', () => {
  test.each([
    ['node --test', 'spec'],
    ['node --enable-source-maps --test "test/**/*.js"', 'spec'],
    ['node --test --test-reporter=tap', 'tap'],
    ['node --test --test-reporter=dot', undefined],
    ['mocha --recursive', 'spec'],
    ['mocha -R dot', undefined],
    ['vitest run --reporter=json --outputFile=out/tests.json', 'out/tests.json'],
    ['vitest run', undefined],
    ['jest --json --outputFile results.json', 'results.json'],
  ])('a script %s: %s', (text, results) => {
    expect(findResults(script(text), [gate('npm test')])).toBe(results)
    expect(findResults(script(text), [gate('pnpm test')])).toBe(results)
  })

  test.each([
    ['cargo test', 'cargo'],
    ['go test ./...', undefined],
    ['go test -json ./...', 'go-json'],
    ['pytest', 'pytest'],
    ['uv run pytest -v', 'pytest'],
    ['pytest --junitxml=report.xml', 'report.xml'],
    ['pytest tests -rA', 'pytest'],
  ])('a command %s: %s', (command, results) => {
    expect(findResults(withFiles({}), [gate(command)])).toBe(results)
  })

  test('a target of make is looked up, a gate that is no test is not', () => {
    expect(findResults(withFiles({ Makefile: 'test:\n\tcargo test\n' }), [gate('make test', 'Makefile')])).toBe('cargo')
    expect(findResults(withFiles({}), [{ command: 'cargo test', purpose: 'lint', from: 'x' }])).toBeUndefined()
  })
})

test('commands that check only what git shows as changed are found', () => {
  const found = (text: string): readonly string[] => findPartial(script(text), [gate('npm test')])
  for (const text of ['jest --changedSince=main', 'jest -o --onlyChanged', 'vitest --changed', 'nx affected -t test'])
    expect([text, found(text)]).toEqual([text, ['npm test']])
  for (const text of ['jest', 'vitest run', 'nx run-many -t test']) expect([text, found(text)]).toEqual([text, []])
})
