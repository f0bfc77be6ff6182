import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkFence, withoutExceptions } from '../../scripts/fence/check.ts'
import { findRoom, roomNames } from '../../scripts/fence/rules.ts'

const scripts = join(import.meta.dirname, '..', '..', 'scripts')
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

test('the real src passes, without exceptions', () => {
  expect(checkFence(join(scripts, '..', 'src'))).toEqual([])
  expect(readFileSync(join(scripts, 'fence', 'exceptions.txt'), 'utf8')).toBe('')
})

// One file and one line of it, for every row of the table.
const planted: [string, string, string][] = [
  ['contract/a.ts', `import type { X } from '../ports/x.ts'`, 'contract may not import ports'],
  ['contract/a.ts', `import { Command } from 'commander'`, 'contract may not import the package commander'],
  ['contract/a.ts', `import { join } from 'node:path'`, 'contract may not import node:path'],
  ['ports/a.ts', `export { x } from '../kernel/x.ts'`, 'ports may not import kernel'],
  ['ports/a.ts', `export * from '../run/x.ts'`, 'ports may not import run'],
  ['kernel/a.ts', `import { x } from '../adapters/git/x.ts'`, 'kernel may not import adapters/git'],
  ['kernel/a.ts', `import { z } from 'zod'`, 'kernel may not import the package zod'],
  ['kernel/a.ts', `import { join } from 'node:path'`, 'kernel may not import node:path'],
  ['kernel/a.ts', 'const x = await import(`../adapters/$' + '{name}.ts`)', 'kernel may not import a computed path'],
  ['show/a.ts', `export type { X } from '../ports/x.ts'`, 'show may not import ports'],
  ['show/a.ts', `import { readFile } from 'fs/promises'`, 'show may not import node:fs/promises'],
  ['calls/a.ts', `import { x } from '../run/x.ts'`, 'calls may not import run'],
  ['judging/a.ts', `const x = await import('../kernel/x.ts')`, 'judging may not import kernel'],
  ['judging/a.ts', `import { diffLines } from 'diff'`, 'the package diff only in judging/text'],
  ['judging/a.ts', `import { createHash } from 'node:crypto'`, 'judging may not import node:crypto'],
  ['run/a.ts', `import { x } from '../config/x.ts'`, 'run may not import config'],
  ['run/a.ts', `import { x } from '../adapters/clock/x.ts'`, 'run may not import adapters/clock'],
  ['run/a.ts', `import { x } from '../surfaces/terminal/x.ts'`, 'run may not import surfaces/terminal'],
  ['run/a.ts', `import { readFileSync } from 'node:fs'`, 'run may not import node:fs'],
  ['modes/writing/contract/a.ts', `import '../core/x.ts'`, 'modes/writing/contract may not import modes/writing/core'],
  ['modes/writing/core/a.ts', `import '../../../ports/x.ts'`, 'modes/writing/core may not import ports'],
  ['modes/writing/core/a.ts', `import '../work/x.ts'`, 'modes/writing/core may not import modes/writing/work'],
  ['modes/writing/core/deep/a.ts', `import { now } from 'node:perf_hooks'`, 'core may not import node:perf_hooks'],
  ['modes/writing/core/a.ts', `import md from 'markdown-it'`, 'the package markdown-it only in modes/delivery/core'],
  ['modes/writing/start/a.ts', `import md from 'markdown-it'`, 'only in modes/delivery/core, modes/writing/export'],
  ['modes/delivery/start/a.ts', `import { Document } from 'docx'`, 'the package docx only in modes/writing/export'],
  ['modes/delivery/start/a.ts', `import { Liquid } from 'liquidjs'`, 'the package liquidjs only in modes/writing'],
  ['modes/writing/start/a.ts', `import { stringify } from 'yaml'`, 'only in config, modes/writing/project'],
  ['modes/writing/show/a.ts', `import type { X } from '../../../run/x.ts'`, 'modes/writing/show may not import run'],
  ['modes/writing/show/a.ts', `import { readFile } from 'fs/promises'`, 'show may not import node:fs/promises'],
  ['modes/writing/work/a.ts', `import '../../../run/x.ts'`, 'modes/writing/work may not import run'],
  ['modes/writing/work/a.ts', `import { randomUUID } from 'node:crypto'`, 'work may not import node:crypto'],
  ['modes/writing/cli/a.ts', `import '../../../adapters/git/x.ts'`, 'modes/writing/cli may not import adapters/git'],
  ['modes/writing/cli/a.ts', `import '../../../surfaces/cli/x.ts'`, 'modes/writing/cli may not import surfaces/cli'],
  ['modes/writing/start/a.ts', `type X = import('../../../adapters/git/x.ts').X`, 'may not import adapters/git'],
  ['modes/writing/mode.ts', `import '../../machine/x.ts'`, 'modes/writing may not import machine'],
  ['modes/writing/start/a.ts', `import '../../../surfaces/terminal/x.ts'`, 'may not import surfaces/terminal'],
  ['modes/writing/mode.ts', `import '../delivery/x.ts'`, 'modes/writing may not import modes/delivery'],
  ['adapters/git/a.ts', `import '../../kernel/x.ts'`, 'adapters/git may not import kernel'],
  ['adapters/git/a.ts', `import { x } from '../shell/x.ts'`, 'adapters/git may not import adapters/shell'],
  ['adapters/stores/files/a.ts', `import '../memory/x.ts'`, 'stores/files may not import adapters/stores/memory'],
  ['adapters/postgres/a.ts', `import '../stores/files/x.ts'`, 'postgres may not import adapters/stores/files'],
  ['config/a.ts', `import { x } from '../run/x.ts'`, 'config may not import run'],
  ['machine/a.ts', `import { x } from '../surfaces/cli/x.ts'`, 'machine may not import surfaces/cli'],
  ['machine/a.ts', `import { parse } from 'yaml'`, 'machine may not import the package yaml'],
  ['setup/demo/a.ts', `import { x } from '../../judging/x.ts'`, 'setup may not import judging'],
  ['setup/demo/a.ts', `import x, { type Y } from '../../surfaces/cli/x.ts'`, 'setup may not import surfaces/cli'],
  ['surfaces/terminal/a.ts', `import { x } from '../cli/x.ts'`, 'surfaces/terminal may not import surfaces/cli'],
  ['surfaces/terminal/a.ts', `import { x } from '../../setup/x.ts'`, 'surfaces/terminal may not import setup'],
  ['surfaces/cli/a.ts', `import { x } from "../../machine/x.ts"`, 'surfaces/cli may not import machine'],
  ['surfaces/web/a.ts', `import { x } from '../cli/x.ts'`, 'surfaces/web may not import surfaces/cli'],
  ['surfaces/web/a.ts', `import x from '@hono/zod-validator/x'`, 'may not import the package @hono/zod-validator'],
  ['surfaces/web/a.ts', `import { Command } from 'commander'`, 'the package commander only in surfaces/cli'],
  ['testing/a.ts', `import * as x from '../surfaces/cli/x.ts'`, 'testing may not import surfaces/cli'],
  ['testing/a.ts', `import { test } from 'vitest'`, 'testing may not import the package vitest'],
  ['installation.ts', `import { x } from './contract/x.ts'`, 'installation.ts may not import contract'],
  ['main.ts', `import { x } from './kernel/x.ts'`, 'main.ts may not import kernel'],
  ['index.ts', `export { x } from './surfaces/cli/x.ts'`, 'index.ts may not import surfaces/cli'],
  ['index.ts', `import { readFileSync } from 'node:fs'`, 'index.ts may not import node:fs'],
  ['adapters/git/a.ts', `import { x } from 'pawl/contract'`, 'import the file by its relative path'],
  ['adapters/git/a.ts', `import { x } from '#kernel'`, 'import the file by its relative path'],
  ['setup/a.ts', `import { spawn } from 'node:child_process'`, 'child_process only in adapters/shell'],
  ['adapters/git/a.ts', `const c = require('child_process')`, 'child_process only in adapters/shell'],
  ['adapters/acp/a.ts', `import { spawn } from 'node:child_process'`, 'child_process only in adapters/shell'],
  ['machine/a.ts', `process.getBuiltinModule('node:child_process')`, 'child_process only in adapters/shell'],
  ['setup/a.ts', `import pkg from '../../package.json' with { type: 'json' }`, '../package.json is outside src'],
  ['contract/index.ts', 'export const x = 1', 'a barrel: only src/index.ts may be an index'],
  ['helpers/a.ts', 'export const x = 1', 'helpers is not a room of the table'],
]

test.for(planted)('%s: %s', ([file, source, reason]) => {
  const found = reasonsIn({ [file]: `\n${source}\n` })
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(reason)
})

test('every row of the table has a violation planted', () => {
  const rows = planted.map(([file]) => findRoom(file)?.key)
  expect(roomNames.filter((name) => !rows.includes(name))).toEqual([])
})

test.for([
  'contract',
  'ports',
  'kernel',
  'show',
  'judging',
  'run',
  'adapters/git',
  'adapters/stores/files',
  'config',
  'machine',
  'setup/demo',
  'surfaces/terminal',
  'surfaces/cli',
  'surfaces/repl',
  'modes/writing/start',
])('%s may not import a mode', (folder) => {
  const up = '../'.repeat(folder.split('/').length)
  const [found, ...more] = reasonsIn({ [`${folder}/a.ts`]: `import '${up}modes/delivery/mode.ts'` })
  expect(more).toEqual([])
  expect(found).toMatch(/may not import modes\/delivery$/)
})

test.for([
  ['Date.now()', 'const at = Date.now()'],
  ['new Date()', 'const at = new Date()'],
  ['new Date()', 'const at = new Date'],
  ['Math.random()', 'const x = Math\n  .random()'],
  ['performance.now()', 'const x = `$' + '{performance.now()}`'],
  ['process', 'const x = process.env.HOME'],
  ['process', `const x = process['pid']`],
  ['process', 'const x = { ...process.env }'],
])('%s is refused where only values are computed: %s', ([name, source]) => {
  for (const folder of ['kernel', 'show', 'show/report', 'modes/writing/core', 'modes/writing/show/report']) {
    const reason = `${name} in a room that only computes`
    expect(reasonsIn({ [`${folder}/a.ts`]: `\n${source}` })).toEqual([`${folder}/a.ts:2: ${reason}`])
  }
  for (const folder of ['adapters/clock', 'modes/writing/work', 'modes/writing/start', 'surfaces/cli', 'run']) {
    expect(reasonsIn({ [`${folder}/a.ts`]: source! })).toEqual([])
  }
})

test('a given time, a field and a word that only look impure are allowed', () => {
  const source = [
    `// Date.now() and process.env`,
    `const text = 'process.env' + "new Date()" + \`Math.random()\``,
    `const at = new Date(now), other = new Date(at.getTime() + 1), most = Math.max(1, 2)`,
    `const x = run.process.pid, y = { process: 1 }, z = clock.Date.now()`,
    `type Process = { readonly process: string }`,
  ].join('\n')
  expect(reasonsIn({ 'modes/writing/core/a.ts': source })).toEqual([])
})

test('an import over many lines is found, at the line of its path', () => {
  const source = `import {\n  type A, // from './b.ts'\n  b,\n} from\n  '../adapters/git/x.ts'\n`
  expect(reasonsIn({ 'kernel/a.ts': source })).toEqual(['kernel/a.ts:5: kernel may not import adapters/git'])
})

test('what only looks like an import is none', () => {
  const source = [
    `// import { x } from '../run/x.ts'`,
    `/* export * from '../run/x.ts' */`,
    `const text = "import '../run/x.ts'" + 'it\\'s from "../run/x.ts"'`,
    "const template = `import '../run/x.ts' $" + "{ { a: '}' }.a } import '../run/x.ts'`",
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

test('two folders that import each other are a cycle, though no two files do', () => {
  const files = {
    'adapters/git/a.ts': `import './deep/b.ts'`,
    'adapters/git/c.ts': '',
    'adapters/git/deep/b.ts': '',
    'adapters/git/deep/d.ts': `\nimport '../c.ts'`,
  }
  const way = 'adapters/git -> adapters/git/deep -> adapters/git'
  expect(reasonsIn(files)).toEqual([`adapters/git/a.ts:1: folder cycle: ${way}`])
})

test('the files at the top of src are no folder', () => {
  const files = {
    'main.ts': `import './surfaces/cli/a.ts'`,
    'surfaces/cli/a.ts': `import '../../installation.ts'`,
    'installation.ts': '',
  }
  expect(reasonsIn(files)).toEqual([])
})

test('a folder has 20 files, not 21; those of its folders do not count', () => {
  const names = Array.from({ length: 21 }, (_, at) => `judging/${at}.ts`)
  const files = (list: readonly string[]): Files => Object.fromEntries(list.map((name) => [name, '']))
  expect(reasonsIn(files([...names.slice(1), 'judging/deep/a.ts']))).toEqual([])
  expect(reasonsIn(files(names))).toEqual(['judging:1: 21 files; a folder has at most 20'])
})

test('an exception lets its violation pass, and is a violation itself once nothing needs it', () => {
  const violation = { file: 'kernel/a.ts', line: 3, reason: 'kernel may not import run' }
  const exception = 'kernel/a.ts: kernel may not import run'
  expect(withoutExceptions([violation], [])).toEqual([violation])
  expect(withoutExceptions([violation], [exception])).toEqual([])
  expect(withoutExceptions([], [exception])).toEqual([
    { file: '../scripts/fence/exceptions.txt', line: 1, reason: `no longer needed: ${exception}` },
  ])
})

test('what the table allows passes', () => {
  const files = {
    'contract/a.ts': `import { z } from 'zod'`,
    'ports/p.ts': `import type { A } from '../contract/a.ts'`,
    'kernel/a.ts': `import { p } from '../ports/p.ts'\nimport { a } from '../contract/a.ts'`,
    'show/a.ts': `import '../kernel/a.ts'\nimport { join } from 'node:path'`,
    'judging/sha256.ts': `import { createHash } from 'node:crypto'`,
    'judging/text/a.ts': `import { diffLines } from 'diff'`,
    'run/a.ts': `import '../kernel/a.ts'\nimport { randomUUID } from 'node:crypto'`,
    'config/a.ts': `import { parse } from 'yaml'\nimport 'node:fs'`,
    'modes/delivery/contract/plan.ts': `import '../../../contract/a.ts'`,
    'modes/delivery/core/plan.ts': `import md from 'markdown-it'\nimport { join } from 'node:path'\nimport '../../../kernel/a.ts'`,
    'modes/delivery/core/deep/x.ts': `import '../../contract/plan.ts'\nimport '../../../../judging/sha256.ts'`,
    'modes/delivery/show/lines.ts': `import '../core/plan.ts'\nimport '../../../show/a.ts'`,
    'modes/delivery/work/work.ts': `import '../core/plan.ts'\nimport '../../../ports/p.ts'`,
    'modes/delivery/start/start.ts': `import '../work/work.ts'\nimport '../../../config/a.ts'\nimport 'node:fs'`,
    'modes/delivery/mode.ts': `import './start/start.ts'\nimport '../../run/a.ts'`,
    'modes/delivery/cli/run.ts': `import '../start/start.ts'\nimport '../../../surfaces/terminal/line.ts'`,
    'modes/delivery/cli/repl.ts': `import '../../../surfaces/repl/read.ts'`,
    'modes/delivery/entry.ts': `const load = () => import('./mode.ts')`,
    'modes/writing/export/docx.ts': `import md from 'markdown-it'\nconst load = () => import('docx')`,
    'modes/writing/project/types.ts': `import { stringify } from 'yaml'\nimport '../../../installation.ts'`,
    'modes/writing/prompts/render.ts': `import { Liquid } from 'liquidjs'`,
    'adapters/shell/spawn.ts': `import { spawn } from 'node:child_process'\nimport hono from 'hono'`,
    'adapters/acp/bridge.ts': `import { spawn } from 'node:child_process'`,
    'adapters/stores/files/a.ts': `import '../../../ports/p.ts'\nimport 'node:fs'`,
    'machine/open.ts': `import '../adapters/shell/spawn.ts'\nimport '../installation.ts'\nimport '../run/a.ts'`,
    'setup/demo/a.ts': `import '../../machine/open.ts'\nimport '../../adapters/shell/spawn.ts'`,
    'surfaces/terminal/line.ts': `import '../../show/a.ts'`,
    'surfaces/repl/read.ts': `import '../terminal/line.ts'\nimport 'node:readline'`,
    'surfaces/cli/run.ts': `import '../terminal/line.ts'\nimport { Command } from 'commander'\nimport '../../setup/demo/a.ts'`,
    'testing/suite.ts': `import '../modes/delivery/mode.ts'\nimport 'node:fs'`,
    'installation.ts': `import 'node:fs'`,
    'main.ts': `import './surfaces/cli/run.ts'\nimport './machine/open.ts'\nimport './modes/delivery/entry.ts'`,
    'index.ts': `export * from './kernel/a.ts'`,
  }
  expect(reasonsIn(files)).toEqual([])
})

test('the command names file, line and reason, and exits 1', () => {
  const src = plant({ 'kernel/a.ts': `\nimport 'zod'` })
  const fence = join(scripts, 'fence.ts')
  const bad = spawnSync(process.execPath, [fence, src], { encoding: 'utf8' })
  expect(bad.stderr).toMatch(/kernel\/a\.ts:2: kernel may not import the package zod\n$/)
  expect(bad.status).toBe(1)
  const good = spawnSync(process.execPath, [fence, plant({ 'kernel/a.ts': '' })], { encoding: 'utf8' })
  expect([good.status, good.stderr]).toEqual([0, ''])
})
