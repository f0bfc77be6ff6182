import { added, type Case, deleted, modified, one } from './case.ts'

const manifest = (more: string): string => `{"scripts":{"test":"vitest run"},${more}}`

export const changedLint: readonly Case[] = [
  one(
    'a rule of eslint',
    modified('eslint.config.js', "rules: { 'no-undef': 'error' }\n", "rules: { 'no-undef': 'off' }\n"),
  ),
  one('.eslintrc', modified('.eslintrc.json', '{"rules":{}}\n', '{"rules":{"no-undef":0}}\n')),
  one('biome', modified('biome.json', '{"linter":{"enabled":true}}\n', '{"linter":{"enabled":false}}\n')),
  one('oxlint', deleted('.oxlintrc.json', '{}\n')),
  one('ruff', modified('ruff.toml', 'select = ["E", "F"]\n', 'select = []\n')),
  one('ruff in pyproject', modified('pyproject.toml', '[tool.ruff]\nselect = ["E"]\n', '[tool.ruff]\nselect = []\n')),
  one('mypy', modified('mypy.ini', '[mypy]\nstrict = True\n', '[mypy]\nstrict = False\n')),
  one('golangci', modified('.golangci.yml', 'linters:\n  enable: [errcheck]\n', 'linters:\n  enable: []\n')),
  one('rubocop', modified('.rubocop.yml', 'Metrics:\n  Enabled: true\n', 'Metrics:\n  Enabled: false\n')),
  one('lints of Cargo', modified('Cargo.toml', '[lints.rust]\nunused = "deny"\n', '[lints.rust]\nunused = "allow"\n')),
  ...(
    [
      ['src/a.ts', '// @ts-ignore'],
      ['src/a.ts', '// @ts-nocheck'],
      ['src/a.ts', '/* eslint-disable */'],
      ['src/a.js', '// eslint-disable-next-line no-undef'],
      ['src/a.ts', '// biome-ignore lint: no'],
      ['src/a.py', 'x = f()  # type: ignore'],
      ['src/a.py', 'import os  # noqa'],
      ['src/a.rs', '#[allow(dead_code)]'],
      ['src/a.go', '//nolint:errcheck'],
      ['src/a.rb', '# rubocop:disable all'],
    ] as const
  ).map(([path, line]) => ({
    name: `${path}: ${line}`,
    touched: [modified(path, 'one\n', `one\n${line}\n`)],
    commands: ['npm run check'],
  })),
  { name: 'a new file with ignores', touched: [added('.eslintignore', 'src\n')], commands: ['eslint .'] },
]

export const replaced: readonly Case[] = [
  one(
    'a runner from a folder',
    modified(
      'package.json',
      manifest('"devDependencies":{"vitest":"^3"}'),
      manifest('"devDependencies":{"vitest":"file:./fake"}'),
    ),
  ),
  one(
    'a runner by another name',
    modified(
      'package.json',
      manifest('"devDependencies":{"jest":"30"}'),
      manifest('"devDependencies":{"jest":"npm:fake@1"}'),
    ),
  ),
  one(
    'a runner from git',
    modified(
      'package.json',
      manifest('"devDependencies":{"mocha":"11"}'),
      manifest('"devDependencies":{"mocha":"github:me/mocha"}'),
    ),
  ),
  one('an override', modified('package.json', manifest('"a":1'), manifest('"a":1,"overrides":{"vitest":"0.0.1"}'))),
  one(
    'a resolution',
    modified('package.json', manifest('"a":1'), manifest('"a":1,"resolutions":{"**/vitest":"0.0.1"}')),
  ),
  one(
    'an override of pnpm',
    modified('package.json', manifest('"a":1'), manifest('"a":1,"pnpm":{"overrides":{"@vitest/runner":"link:x"}}')),
  ),
  one('pytest.py', added('pytest.py', 'def main(): return 0\n')),
  one('a package pytest', added('pytest/__init__.py', '')),
  one('jest.js', added('jest.js', '')),
  one('vitest/index.js', added('vitest/index.js', '')),
  one('sitecustomize', added('sitecustomize.py', 'import sys\n')),
  one('another shell for scripts', added('.npmrc', 'script-shell=/bin/true\n')),
  one('options for node', modified('.npmrc', 'save-exact=true\n', 'save-exact=true\nnode-options=--import ./x.mjs\n')),
  one('a runner of cargo', added('.cargo/config.toml', '[target.x86_64-unknown-linux-gnu]\nrunner = "true"\n')),
  one('gradlew', modified('gradlew', 'exec java "$@"\n', 'exit 0\n')),
  one('a committed node_modules', modified('node_modules/vitest/vitest.mjs', 'run()\n', 'process.exit(0)\n')),
  one('a program of node_modules', modified('node_modules/.bin/vitest', 'run()\n', 'process.exit(0)\n')),
  one(
    'a package in the store of pnpm',
    modified('node_modules/.pnpm/vitest@5.0.0/node_modules/vitest/vitest.mjs', 'run()\n', 'process.exit(0)\n'),
  ),
  one('an executable on the path', added('bin/pytest', 'exit 0\n')),
]

export const hooks: readonly Case[] = [
  one('a hook of husky', added('.husky/pre-commit', 'npm test\n')),
  one('a filter', added('.gitattributes', '*.ts filter=fix\n')),
]
