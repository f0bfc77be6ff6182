import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkFence } from '../../scripts/fence/check.ts'

const root = mkdtempSync(join(tmpdir(), 'pawl fence-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Files = Readonly<Record<string, string>>

function plant(files: Files): string {
  const src = mkdtempSync(join(root, 'src-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(src, name)), { recursive: true })
    writeFileSync(join(src, name), text)
  }
  return src
}

function reasonsIn(files: Files): string[] {
  return checkFence(plant(files)).map(({ file, line, reason }) => `${file}:${line}: ${reason}`)
}

test('the real src passes', () => {
  expect(checkFence(join(import.meta.dirname, '..', '..', 'src'))).toEqual([])
})

test.for<[string, string, string]>([
  ['kernel/a.ts', `import { x } from '../adapters/git/x.ts'`, 'kernel may not import adapters'],
  ['contract/a.ts', `import type { X } from '../ports/x.ts'`, 'contract may not import ports'],
  ['ports/a.ts', `export { x } from '../kernel/x.ts'`, 'ports may not import kernel'],
  ['ports/a.ts', `export * from '../app/x.ts'`, 'ports may not import app'],
  ['prompts/a.ts', `export type { X } from '../ports/x.ts'`, 'prompts may not import ports'],
  ['evaluators/a.ts', `const x = await import('../kernel/x.ts')`, 'evaluators may not import kernel'],
  ['modes/writing/a.ts', `type X = import('../../adapters/git/x.ts').X`, 'modes may not import adapters'],
  ['adapters/git/a.ts', `import '../../kernel/x.ts'`, 'adapters may not import kernel'],
  ['app/a.ts', `import x, { type Y } from '../surfaces/cli/x.ts'`, 'app may not import surfaces'],
  ['app/a.ts', `import * as x from '../testing/x.ts'`, 'app may not import testing'],
  ['surfaces/cli/a.ts', `import { x } from "../../kernel/x.ts"`, 'surfaces may not import kernel'],
  ['main.ts', `import { x } from './kernel/x.ts'`, 'main.ts may not import kernel'],
  ['index.ts', `export { x } from './surfaces/cli/x.ts'`, 'index.ts may not import surfaces'],
  ['modes/writing/a.ts', `import { x } from '../delivery/x.ts'`, 'modes/writing may not import modes/delivery'],
  ['adapters/git/a.ts', `import { x } from '../shell/x.ts'`, 'adapters/git may not import adapters/shell'],
  ['surfaces/web/a.ts', `import { x } from '../cli/x.ts'`, 'surfaces/web may not import surfaces/cli'],
  ['kernel/a.ts', `import { z } from 'zod'`, 'kernel may not import the package zod'],
  ['contract/a.ts', `import { Command } from 'commander'`, 'contract may not import the package commander'],
  ['app/a.ts', `import colors from 'picocolors'`, 'app may not import the package picocolors'],
  ['testing/a.ts', `import { test } from 'vitest'`, 'testing may not import the package vitest'],
  ['surfaces/web/a.ts', `import x from '@hono/zod-validator/x'`, 'may not import the package @hono/zod-validator'],
  ['modes/writing/a.ts', `import md from 'markdown-it'`, 'the package markdown-it only in modes/delivery'],
  ['adapters/git/a.ts', `import { x } from 'pawl/contract'`, 'import the file by its relative path'],
  ['adapters/git/a.ts', `import { x } from '#kernel'`, 'import the file by its relative path'],
  ['kernel/a.ts', `import { join } from 'node:path'`, 'kernel may not import node:path'],
  ['modes/writing/a.ts', `import { readFile } from 'fs/promises'`, 'modes may not import node:fs/promises'],
  ['modes/delivery/a.ts', `import { randomUUID } from 'node:crypto'`, 'modes may not import node:crypto'],
  ['app/a.ts', `import { spawn } from 'node:child_process'`, 'child_process only in adapters/shell'],
  ['adapters/git/a.ts', `const c = require('child_process')`, 'child_process only in adapters/shell'],
  ['adapters/acp/a.ts', `import { spawn } from 'node:child_process'`, 'child_process only in adapters/shell'],
  ['app/a.ts', `process.getBuiltinModule('node:child_process')`, 'child_process only in adapters/shell'],
  ['kernel/a.ts', 'const x = await import(`../adapters/$' + '{name}.ts`)', 'kernel may not import a computed path'],
  ['app/a.ts', `import pkg from '../../package.json' with { type: 'json' }`, '../package.json is outside src'],
  ['contract/index.ts', 'export const x = 1', 'a barrel: only src/index.ts may be an index'],
  ['helpers/a.ts', 'export const x = 1', 'helpers is no layer of the table'],
])('%s: %s', ([file, source, reason]) => {
  const found = reasonsIn({ [file]: `\n${source}\n` })
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(reason)
})

test('an import over many lines is found, at the line of its path', () => {
  const source = `import {\n  type A, // from './b.ts'\n  b,\n} from\n  '../adapters/git/x.ts'\n`
  expect(reasonsIn({ 'kernel/a.ts': source })).toEqual(['kernel/a.ts:5: kernel may not import adapters'])
})

test('what only looks like an import is none', () => {
  const source = [
    `// import { x } from '../app/x.ts'`,
    `/* export * from '../app/x.ts' */`,
    `const text = "import '../app/x.ts'" + 'it\\'s from "../app/x.ts"'`,
    "const template = `import '../app/x.ts' $" + "{ { a: '}' }.a } import '../app/x.ts'`",
    `const pattern = /'"\`[/'"]import("x")/.test(text) && 4 / 2 / 1`,
    `export type From = { readonly import: string; from: 'zod' }`,
    `export const from = 'zod', at = import.meta.url, other = loader.import('zod')`,
    `export { text, template }`,
    `const after = 'zod'`,
  ].join('\n')
  expect(reasonsIn({ 'kernel/a.ts': source })).toEqual([])
})

test.for([
  ['const x = `a $' + "{await import('zod')} b`"],
  ['function f() { return `$' + "{y}` } import('zod'); const z = ``"],
  [`const quote = /'/; import('zod') // '`],
  [`const half = 4 / 2; import('zod'); const other = 1 / 2`],
])('what stands around it does not hide an import: %s', ([source]) => {
  expect(reasonsIn({ 'kernel/a.ts': source! })).toEqual(['kernel/a.ts:1: kernel may not import the package zod'])
})

test.for([
  ['plain', `import { b } from './b.ts'`],
  ['type-only', `import type { B } from './b.ts'`],
  ['re-exported', `export { b } from './b.ts'`],
  ['dynamic', `const b = () => import('./b.ts')`],
])('a %s cycle is told once, with its way round', ([, source]) => {
  const files = {
    'kernel/a.ts': source!,
    'kernel/b.ts': `import './c.ts'`,
    'kernel/c.ts': `\nimport type { A } from './a.ts'`,
  }
  const way = 'kernel/a.ts -> kernel/b.ts -> kernel/c.ts -> kernel/a.ts'
  expect(reasonsIn(files)).toEqual([`kernel/a.ts:1: cycle: ${way}`])
})

test('a file that imports itself is a cycle', () => {
  expect(reasonsIn({ 'kernel/a.ts': `import './a.ts'` })).toEqual(['kernel/a.ts:1: cycle: kernel/a.ts -> kernel/a.ts'])
})

test('what the table allows passes', () => {
  const files = {
    'contract/a.ts': `import { z } from 'zod'`,
    'kernel/a.ts': `import { p } from '../ports/p.ts'\nimport { a } from '../contract/a.ts'`,
    'modes/delivery/plan.ts': `import md from 'markdown-it'\nimport { join } from 'node:path'\nimport '../../kernel/a.ts'`,
    'modes/delivery/deep/x.ts': `import '../plan.ts'`,
    'adapters/shell/spawn.ts': `import { spawn } from 'node:child_process'\nimport hono from 'hono'`,
    'adapters/acp/bridge.ts': `import { spawn } from 'node:child_process'`,
    'app/compose.ts': `import '../modes/delivery/plan.ts'\nimport { parse } from 'yaml'\nawait import(path)`,
    'surfaces/cli/run.ts': `import '../../app/compose.ts'\nimport { Command } from 'commander'\nimport 'node:fs'`,
    'testing/suite.ts': `import '../surfaces/cli/run.ts'\nimport 'node:fs'`,
    'main.ts': `import './surfaces/cli/run.ts'\nimport './app/compose.ts'`,
    'index.ts': `export * from './app/compose.ts'`,
  }
  expect(reasonsIn(files)).toEqual([])
})

test('the command names file, line and reason, and exits 1', () => {
  const src = plant({ 'kernel/a.ts': `\nimport 'zod'` })
  const fence = join(import.meta.dirname, '..', '..', 'scripts', 'fence.ts')
  const bad = spawnSync(process.execPath, [fence, src], { encoding: 'utf8' })
  expect(bad.stderr).toMatch(/kernel\/a\.ts:2: kernel may not import the package zod\n$/)
  expect(bad.status).toBe(1)
  const good = spawnSync(process.execPath, [fence, plant({ 'kernel/a.ts': '' })], { encoding: 'utf8' })
  expect([good.status, good.stderr]).toEqual([0, ''])
})
