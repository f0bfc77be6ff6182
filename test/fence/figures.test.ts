import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { brokenBounds, type Figure, measureFigures } from '../../scripts/figures/measure.ts'

const project = join(import.meta.dirname, '..', '..')
const temp = mkdtempSync(join(tmpdir(), 'pawl-figures-'))
afterAll(() => rmSync(temp, { recursive: true, force: true }))

type Files = Readonly<Record<string, string>>

// A house in order: two modes, one of which the composition and the library know.
const house: Files = {
  'src/main.ts': `import './modes/delivery/entry.ts'\nimport { entry } from './modes/writing/entry.ts'\n`,
  'src/index.ts': `export * from './modes/writing/mode.ts'\n`,
  'src/modes/delivery/entry.ts': `export const mode = 'delivery'\nexport const load = () => import('./mode.ts')\n`,
  'src/modes/delivery/mode.ts': `import '../../kernel/run.ts'\nexport const scoreOf = 1\n`,
  'src/modes/writing/entry.ts': `import './mode.ts'\n`,
  'src/modes/writing/mode.ts': `import '../../kernel/run.ts'\nfunction wordsIn() {}\n`,
  'src/kernel/run.ts': `// The 'delivery' mode is none of its business.\nconst text = 'a delivery'\n`,
  'test/kernel/run.test.ts': `import '../../src/modes/delivery/mode.ts'\n`,
}

function plant(files: Files): string {
  const root = mkdtempSync(join(temp, 'root-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

const measure = (files: Files): Figure[] => measureFigures(plant({ ...house, ...files }))
const broken = (files: Files): string[] => brokenBounds(measure(files))

test('the source keeps its bounds', () => {
  expect(brokenBounds(measureFigures(project))).toEqual([])
})

test('every figure of a small tree', () => {
  const figures = Object.fromEntries(measure({}).map(({ name, value }) => [name, value]))
  expect(figures).toEqual({
    'files in src': 7,
    'lines in src': 12,
    'files in test': 1,
    'lines in test': 1,
    'shared files that know a mode': 1,
    'files outside its folder that a mode needs': 1,
    'lines of main.ts that a mode needs': 1,
    'folder cycles': 0,
    'folders over 20 files': 0,
    'files with one importer': 3,
    'longest import chain': 4,
    'functions and constants ending in Of, In or By': 2,
  })
})

test.for<[string, string]>([
  ['run/start.ts', `import { entry } from '../modes/delivery/entry.ts'`],
  ['run/start.ts', `const load = () => import('../modes/delivery/entry.ts')`],
  ['run/start.ts', `const isDelivery = mode === 'delivery'`],
  ['run/start.ts', 'const isDelivery = mode === `delivery`'],
  ['surfaces/cli/show.ts', `const modes = { 'delivery': 1 }`],
  ['config/load.ts', `const mode = 'delivery'`],
])('a shared file that knows a mode breaks a bound: %s: %s', ([file, source]) => {
  const [first, ...more] = broken({ [`src/${file}`]: source })
  expect(more).toEqual([])
  expect(first).toBe(`shared files that know a mode: 2, at most 1 (${[file, 'main.ts'].sort().join(', ')})`)
})

test('a mode that needs a third file outside its folder breaks a bound', () => {
  const found = broken({ 'src/run/a.ts': `const a = 'writing'`, 'src/run/b.ts': `const b = 'writing'` })
  expect(found).toContain('files outside its folder that a mode needs: 3, at most 2')
})

test('a tier of the configuration is no mode', () => {
  expect(
    broken({ 'src/modes/procedure/mode.ts': '', 'src/config/tier.ts': `type Tier = 'user' | 'procedure'` }),
  ).toEqual([])
})

test('a folder cycle breaks a bound', () => {
  const files = {
    'src/kernel/a.ts': `import '../ports/b.ts'`,
    'src/ports/b.ts': '',
    'src/ports/c.ts': `import '../kernel/run.ts'`,
  }
  expect(broken(files)).toEqual(['folder cycles: 1, at most 0 (folder cycle: kernel -> ports -> kernel)'])
})

test('a folder over 20 files breaks a bound', () => {
  const files = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`src/ports/${at}.ts`, '']))
  expect(broken(files)).toEqual(['folders over 20 files: 1, at most 0 (ports)'])
})

test('the command prints a table, and with --check only what is broken, with exit 1', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(project, 'scripts', 'figures.ts'), ...args], { encoding: 'utf8' })
  const [good, bad] = [plant(house), plant({ ...house, 'src/run/a.ts': `const mode = 'writing'` })]
  expect(run(bad)).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(/^folder cycles +0 {2}at most 0$/m),
  })
  expect(run('--check', good)).toMatchObject({ status: 0, stdout: '', stderr: '' })
  const check = run('--check', bad)
  expect(check).toMatchObject({ status: 1, stdout: '' })
  expect(check.stderr).toBe('shared files that know a mode: 2, at most 1 (main.ts, run/a.ts)\n')
})
