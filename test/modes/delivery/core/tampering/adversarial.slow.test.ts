import { describe, expect, test } from 'vitest'
import { findTampering } from '../../../../../src/modes/delivery/core/tampering/find-tampering.ts'
import { sampled } from '../../../../support/sample.ts'
import { added, modified } from './cases/case.ts'

const about = { commands: ['npm test', 'npm run lint', './check.sh'], focus: [] }
const fill = (text: string, size: number): string => text.repeat(Math.ceil(size / text.length)).slice(0, size)

const pieces = [
  ' ',
  '\t',
  '\n',
  'a',
  '"',
  "'",
  '`',
  '\\',
  '\\"',
  '/*',
  '*/',
  '//',
  '# ',
  '(',
  '{',
  '[',
  ']',
  '<!--',
  '"""',
  ',',
  ', ',
  '@',
  '@a.',
  '@a.a ',
  '.',
  '..',
  'it.',
  'it.a',
  'test.a.b.',
  'expect(',
  'expect ',
  'await ',
  'async ',
  '||',
  '|| ',
  '; ',
  ';  true',
  '& ',
  'echo ',
  '\u0000',
  '\ud800',
  'é',
  '#[',
  '#[cfg_attr(',
  '#[cfg(test)',
  'ignore: [',
  'exclude test',
  'exclude ',
  'skip: ',
  'process.exit(',
  'raise ',
  'import a ',
  'from a import b\n',
  'a:\n',
  'a = b\n',
  '[a]\n',
  '"a": ',
  '{"a":',
  'describe.a',
  'vi.mock("',
  'if a != ',
  'return\n',
  'x\nreturn\n',
  "test('a', () => {\n",
  '@pytest.mark.skip\n',
  '// expect(a).toBe(1)\n',
  'expect(a).toBe(1)\n',
  '- run: a\n',
  'eslint-disable',
  '// ',
  '#  ',
  'if x {\n',
  'a.b=',
  'trap ',
  'ignor',
  'exclude',
  'const a =function ',
  'SHELL=a\n',
]
const paths = [
  'a.test.ts',
  'tests/test_a.py',
  'a_test.go',
  'src/a.rs',
  'src/test/java/ATest.java',
  'spec/a_spec.rb',
  'tests/ATest.php',
  'ATests.cs',
  'ATests.swift',
  'a_test.exs',
  'a.bats',
  'a.feature',
  'package.json',
  'Makefile',
  'pyproject.toml',
  'pom.xml',
  'tsconfig.json',
  'vitest.config.ts',
  'vite.config.ts',
  'eslint.config.js',
  '.eslintignore',
  'conftest.py',
  'test/helpers.ts',
  '.github/workflows/a.yml',
  'check.sh',
  '.npmrc',
  '.gitattributes',
  'src/a.ts',
  'tests/a.json',
]

const large = ['a.test.ts', 'package.json']

/** Of this process alone: others may keep the machine busy. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** A mebibyte of each takes long, also where it is read as it should be. */
const inSample = sampled(pieces, 4)

describe('a text made to take long takes no longer than another', () => {
  test.each(pieces)('%j', (piece) => {
    const spent = (path: string, text: string): number =>
      cpuMs(() => {
        findTampering([modified(path, `${text}\nend`, `start\n${text}x`)], about)
        findTampering([added(path, text)], about)
      })
    for (const path of paths) expect(spent(path, fill(piece, 1 << 16)), path).toBeLessThan(1500)
    const isTried = inSample.includes(piece)
    for (const path of isTried ? large : []) expect(spent(path, fill(piece, 1 << 20)), path).toBeLessThan(8000)
  })
})

test.each(['test/', 'test/helper/', 'a/', 'aTests', '../', 'setup'])('a path of 4,096 characters: %s', (piece) => {
  const path = `${piece.repeat(4096 / piece.length)}x`
  expect(cpuMs(() => findTampering([modified(path, 'a', 'b')], about))).toBeLessThan(500)
})
