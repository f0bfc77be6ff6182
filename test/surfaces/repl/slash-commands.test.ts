import { expect, test } from 'vitest'
import {
  completeSlashCommand,
  formatUnknownCommand,
  parseSlashCommand,
} from '../../../src/surfaces/repl/slash-commands.ts'

test.each([
  ['/exit', 'exit', '', []],
  ['  /Open  a.md ', 'open', 'a.md', ['a.md']],
  [`/save "my file.md" 'b c' it's`, 'save', `"my file.md" 'b c' it's`, ['my file.md', 'b c', "it's"]],
  [
    '/say "a \\"quoted\\" word" "unfinished one',
    'say',
    '"a \\"quoted\\" word" "unfinished one',
    ['a "quoted" word', 'unfinished one'],
  ],
  ['/note first line\nsecond  line', 'note', 'first line\nsecond  line', ['first', 'line', 'second', 'line']],
  ['/set ""', 'set', '""', ['']],
])('%j is a command', (text, name, rest, words) => {
  expect(parseSlashCommand(text)).toEqual({ name, rest, words })
})

test.each(['', 'plain text', '/usr/bin is wrong', '/', '// comment', '/ exit', '/1st', 'see /exit'])(
  '%j is none',
  (text) => {
    expect(parseSlashCommand(text)).toBeUndefined()
  },
)

const commands = [
  { name: 'generate' },
  { name: 'genre' },
  { name: 'exit' },
  { name: 'open', args: () => ['a.md', 'another.md', 'my file.md'] },
]

test.each([
  ['genrate', 'Unknown command /genrate. Did you mean /generate or /genre?'],
  ['exut', 'Unknown command /exut. Did you mean /exit?'],
  ['gen', 'Unknown command /gen. Did you mean /generate or /genre?'],
  ['xyzzy', 'Unknown command /xyzzy. The commands are /generate, /genre, /exit, /open.'],
])('/%s is unknown, and what was meant is named', (name, sentence) => {
  expect(formatUnknownCommand(name, commands)).toBe(sentence)
})

test('at most three commands are named', () => {
  const similar = ['aab', 'aac', 'aad', 'aae'].map((name) => ({ name }))
  expect(formatUnknownCommand('aaa', similar)).toBe('Unknown command /aaa. Did you mean /aab, /aac or /aad?')
})

test.each([
  ['/ge', { word: '/ge', candidates: ['/generate ', '/genre '] }],
  ['/', { word: '/', candidates: ['/generate ', '/genre ', '/exit ', '/open '] }],
  ['/open a', { word: 'a', candidates: ['a.md ', 'another.md '] }],
  ['/open ', { word: '', candidates: ['a.md ', 'another.md ', '"my file.md" '] }],
  ['/open "my f', { word: '"my f', candidates: ['"my file.md" '] }],
  ['/open my f', { word: 'my f', candidates: ['"my file.md" '] }],
  ['/open a.md b', { word: 'a.md b', candidates: [] }],
  ['/exit x', { word: 'x', candidates: [] }],
  ['make it shorter', { word: '', candidates: [] }],
])('%j is completed', (before, expected) => {
  expect(completeSlashCommand(before, commands)).toEqual(expected)
})
