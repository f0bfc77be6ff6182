import { added, type Case, deleted, modified, one } from './case.ts'

const linted = (name: string, ...touched: Case['touched']): Case => ({
  name,
  touched,
  commands: ['npm run lint', 'npm test'],
})

export const honestSources: readonly Case[] = [
  one(
    'source that skips',
    modified(
      'src/list.ts',
      'export const a = 1\n',
      'export const skip = (list) => list.skip(1)\nif (pending) process.exit(0)\n',
    ),
  ),
  one('source that is deleted', deleted('src/old.ts', 'export const a = 1\n')),
  one('source with assertions', modified('src/assert.ts', 'assert(a)\n', 'check(a)\n')),
  one('source called latest', modified('src/latest.ts', 'expect(1)\n', 'x\n')),
  one('source called contest', modified('src/contest/rank.py', 'assert 1\n', 'pass\n')),
  one('the product that a command starts', modified('cli.js', 'a()\n', 'b()\n')),
  one('features of a product', modified('src/features/cart/index.ts', 'a\n', 'b\n')),
  one('a setup of the product', modified('src/setup.ts', 'a\n', 'b\n')),
  one('a description of an interface', modified('spec/openapi.yaml', 'a: 1\n', 'a: 2\n')),
  one('weights of a model', added('models/net.pth', '')),
  one('docs', modified('docs/testing.md', 'use it.skip\n', 'use // eslint-disable and @ts-ignore\n')),
  one('the readme', modified('README.md', 'a\n', 'npm test || true\n')),
  one('specifications in prose', modified('specs/cart.md', 'must\n', 'may\n')),
  one('a style of the editor', modified('.editorconfig', 'indent_size = 2\n', 'indent_size = 4\n')),
  one('what git ignores', modified('.gitignore', 'dist\n', 'dist\ncoverage\n')),
  one('line ends in git', added('.gitattributes', '* text=auto\n')),
  one('a container', modified('Dockerfile', 'RUN a\n', 'RUN b\n')),
  one('a lock file', modified('package-lock.json', '{"a":1}\n', '{"a":2}\n')),
  linted('source without suppressions', modified('src/a.ts', 'one\n', 'two // ignore the rest\n')),
  linted('a suppression that is gone', modified('src/a.ts', '// @ts-ignore\none\n', 'one\n')),
  linted('a suppression that stays', modified('src/a.ts', '// @ts-ignore\none\n', '// @ts-ignore\none\ntwo\n')),
  linted('a suppression in the docs', modified('docs/a.md', 'a\n', '// eslint-disable-next-line\n')),
  one('a suppression where nothing lints', modified('src/a.ts', 'one\n', '// @ts-ignore\none\n')),
]
