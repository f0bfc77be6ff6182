import { describe, expect, test } from 'vitest'
import { findPrograms, findReplaced, listWatchedPaths } from '../../../../../src/modes/delivery/core/tampering/watch.ts'

const kinds = (before: Record<string, string>, after: Record<string, string>) =>
  findReplaced(before, after).map(({ kind, path }) => `${kind} ${path}`)

describe('which files are watched', () => {
  const packageScripts = { test: 'npm run lint && vitest run', lint: 'eslint .', docs: 'typedoc' }
  const listing = [
    '.git/hooks/pre-commit',
    '.git/hooks/pre-push.sample',
    'node_modules/.bin/vitest',
    'node_modules/.bin/eslint.cmd',
    'node_modules/.bin/typedoc',
    'node_modules/vitest/vitest.mjs',
    'node_modules/vitest/package.json',
    'node_modules/left-pad/index.js',
    '.venv/bin/pytest',
    '.venv/bin/python3',
    '.venv/bin/black',
  ]
  const watch = (commands: readonly string[]) => listWatchedPaths({ commands, packageScripts, listing })

  test('hooks and configuration of git always, runners where a command or a script it calls names them', () => {
    expect(watch(['npm test'])).toEqual([
      '.git/config',
      '.git/config.worktree',
      '.git/info/attributes',
      '.git/hooks/pre-commit',
      'node_modules/.bin/vitest',
      'node_modules/.bin/eslint.cmd',
      'node_modules/vitest/vitest.mjs',
      'node_modules/vitest/package.json',
      '.venv/bin/python3',
    ])
  })

  test('a runner of a virtual environment', () => {
    expect(watch(['.venv/bin/pytest -q'])).toContain('.venv/bin/pytest')
    expect(watch(['python -m pytest'])).toContain('.venv/bin/pytest')
    expect(watch(['pytest'])).not.toContain('.venv/bin/black')
  })
})

describe('what a difference means', () => {
  test.each([
    ['a new hook', {}, { '.git/hooks/pre-commit': 'a' }, ['hook-planted .git/hooks/pre-commit']],
    [
      'a changed hook',
      { '.git/hooks/pre-push': 'a' },
      { '.git/hooks/pre-push': 'b' },
      ['hook-planted .git/hooks/pre-push'],
    ],
    [
      'a hook of a submodule',
      {},
      { 'lib/.git/hooks/post-checkout': 'a' },
      ['hook-planted lib/.git/hooks/post-checkout'],
    ],
    [
      'another runner',
      { 'node_modules/.bin/vitest': 'a' },
      { 'node_modules/.bin/vitest': 'b' },
      ['runner-replaced node_modules/.bin/vitest'],
    ],
    [
      'what the runner links to',
      { 'node_modules/jest/bin/jest.js': 'a' },
      { 'node_modules/jest/bin/jest.js': 'b' },
      ['runner-replaced node_modules/jest/bin/jest.js'],
    ],
    ['another pytest', { '.venv/bin/pytest': 'a' }, { '.venv/bin/pytest': 'b' }, ['runner-replaced .venv/bin/pytest']],
    ['a result before its time', {}, { 'out/result.json': 'a' }, ['result-faked out/result.json']],
    ['another result', { 'result.json': 'a' }, { 'result.json': 'b' }, ['result-faked result.json']],
    ['a result that is gone', { 'result.json': 'a' }, {}, ['result-faked result.json']],
    ['a hook that is gone', { '.git/hooks/pre-commit': 'a' }, {}, []],
    ['a runner that was installed', {}, { 'node_modules/.bin/vitest': 'a' }, []],
    ['a runner that is gone', { 'node_modules/.bin/vitest': 'a' }, {}, []],
    ['a runner that came back the same', { 'node_modules/.bin/vitest': 'a' }, { 'node_modules/.bin/vitest': 'a' }, []],
  ])('%s', (_, before: Record<string, string>, after: Record<string, string>, expected) => {
    expect(kinds(before, after)).toEqual(expected)
  })
})

describe('the configuration of git', () => {
  const plain = '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.com/a\n'
  const changed = (more: string) =>
    findReplaced({ '.git/config': findPrograms(plain) }, { '.git/config': findPrograms(plain + more) })

  test.each([
    '[core]\n\thooksPath = /tmp/x',
    '[core] hookspath = x',
    '[core]\n\tfsmonitor = ./x',
    '[filter "lfs"]\n\tclean = ./x',
    '[include]\n\tpath = ../x',
    '[includeIf "gitdir:/"]\n\tpath = ../x',
    '[diff "a"]\n\ttextconv = ./x',
    '[alias]\n\tstatus = !./x',
    '[merge "a"]\n\tdriver = ./x',
    '[core]\n\tsshCommand = ./x',
    '[gpg]\n\tprogram = ./x',
  ])('%s would start something', (more) => {
    expect(changed(more)).toMatchObject([{ kind: 'hook-planted', path: '.git/config', expected: false }])
  })

  test.each([
    '[user]\n\tname = someone',
    '[branch "a"]\n\tremote = origin',
    '[remote "b"]\n\turl = x',
    '# [core]\n# hooksPath = x',
    '[core]\n\tautocrlf = false',
  ])('%s is nothing', (more) => {
    expect(changed(more)).toEqual([])
  })

  test('attributes that name a filter are told, others not', () => {
    const told = (text: string) =>
      kinds({ '.git/info/attributes': findPrograms('') }, { '.git/info/attributes': findPrograms(text) })
    expect(told('*.ts filter=fix\n')).toEqual(['hook-planted .git/info/attributes'])
    expect(told('*.ts text=auto\n')).toEqual([])
  })
})
