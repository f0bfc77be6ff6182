import { expect, test } from 'vitest'
import type { Gate } from '../../../src/config/repository/declared-gates.ts'
import { findPrepare } from '../../../src/config/repository/prepare.ts'

const gate = (command: string): Gate => ({ command, purpose: 'test', from: 'package.json' })
const manifest = (scripts: Record<string, string>) => JSON.stringify({ scripts })

test('a gate that builds does not count, because other commands may verify a delivery', () => {
  const repository = {
    has: () => true,
    text: (path: string) => (built as Record<string, string>)[path] ?? '',
    list: (folder: string) => (folder === 'test' ? ['a.test.js'] : []),
  }
  const gates: Gate[] = [{ command: 'npm run build', purpose: 'build', from: 'package.json' }, gate('npm test')]
  expect(findPrepare(repository, gates)).toEqual(['npm run build'])
})

function found(files: Readonly<Record<string, string>>, command = 'npm test'): readonly string[] {
  const list = (folder: string): readonly string[] =>
    Object.keys(files).flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []))
  const repository = { has: (path: string) => path in files, text: (path: string) => files[path] ?? '', list }
  return findPrepare(repository, [gate(command)])
}

const built = {
  'package.json': manifest({ build: 'tsc', test: 'node --test' }),
  '.gitignore': 'node_modules\n/dist/\n',
  'test/a.test.js': "import { a } from '../dist/a.js'\n",
}

test.each<[string, Record<string, string>, string[], string?]>([
  ['tests import what is built', built, ['npm run build']],
  ['with another program', built, ['pnpm run build'], 'pnpm test'],
  ['tests import sources', { ...built, 'test/a.test.js': "import { a } from '../src/a.js'\n" }, []],
  ['what they import is committed', { ...built, '.gitignore': 'node_modules\n' }, []],
  [
    'the tests build it',
    { ...built, 'package.json': manifest({ build: 'tsc', test: 'npm run build && node --test' }) },
    [],
  ],
  [
    'a script before the tests builds it',
    { ...built, 'package.json': manifest({ build: 'tsc', pretest: 'npm run build', test: 'node --test' }) },
    [],
  ],
  ['the tests build it with a command of their own', built, [], 'npm run build && node --test'],
  [
    'generated code',
    {
      'package.json': manifest({ codegen: 'buf generate', test: 'node --test' }),
      '.gitignore': 'gen\n',
      'src/a.test.ts': "import { a } from './gen/a.ts'\n",
    },
    ['npm run codegen'],
  ],
  ['nothing builds it', { ...built, 'package.json': manifest({ test: 'node --test' }) }, []],
])('%s', (_name, files, commands, command) => {
  expect(found(files, command)).toEqual(commands)
})
