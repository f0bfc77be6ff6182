import { expect, test } from 'vitest'
import { findSetup } from '../../../src/config/repository/setup.ts'

const found = (files: Readonly<Record<string, string>>): readonly string[] =>
  findSetup({ has: (path) => Object.hasOwn(files, path), text: (path) => files[path] ?? '', list: () => [] })

test.each<[string, Record<string, string>, string[]]>([
  ['npm', { 'package-lock.json': '' }, ['npm ci']],
  ['pnpm', { 'pnpm-lock.yaml': '' }, ['pnpm install --frozen-lockfile']],
  ['yarn 1', { 'yarn.lock': '' }, ['yarn install --frozen-lockfile']],
  ['a newer yarn', { 'yarn.lock': '', '.yarnrc.yml': '' }, ['yarn install --immutable']],
  ['uv', { 'uv.lock': '' }, ['uv sync --frozen']],
  [
    'pip in a virtual environment',
    { 'requirements.txt': '', '.venv': '' },
    ['.venv/bin/python -m pip install -r requirements.txt'],
  ],
  ['pip without one', { 'requirements.txt': '' }, []],
  ['two languages', { 'package-lock.json': '', 'Cargo.lock': '' }, ['npm ci', 'cargo fetch']],
  ['make deps', { 'package-lock.json': '', Makefile: 'deps:\n\tnpm ci\n' }, ['make deps']],
  ['a variable of make', { 'go.sum': '', Makefile: 'deps := a\n' }, ['go mod download']],
  ['packages without a lock file', { 'package.json': '', node_modules: '' }, ['npm install --no-package-lock']],
  ['nothing', { 'package.json': '' }, []],
])('%s', (_name, files, commands) => {
  expect(found(files)).toEqual(commands)
})
