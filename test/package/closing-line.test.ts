import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTempFolder, projectRoot, run } from './fake-root.ts'

const vitest = join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs')
const reporters = ['--reporter=default', `--reporter=${join(projectRoot, 'scripts', 'closing-line.ts')}`]

async function lastLineOf(files: Readonly<Record<string, string>>): Promise<string | undefined> {
  const folder = makeTempFolder()
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, source] of Object.entries(files)) {
    writeFileSync(join(folder, name), `import { expect, test } from 'vitest'\n${source}`)
  }
  const { stdout } = await run(process.execPath, [vitest, 'run', '--root', folder, ...reporters], { cwd: folder })
  rmSync(folder, { recursive: true, force: true })
  return stdout.trimEnd().split('\n').at(-1)
}

test('the last line counts what passed and what failed, and leaves out what was skipped', async () => {
  const mixed = `test('a', () => {}); test('b', () => {}); test('c', () => { expect(1).toBe(2) }); test.skip('d', () => {})`
  expect(await lastLineOf({ 'mixed.test.ts': mixed })).toBe('Tests: 2 passed, 1 failed')
})

test('a file that does not load and an error outside a test are failures', async () => {
  const files = {
    'good.test.ts': `test('a', () => {})`,
    'broken.test.ts': `import './nowhere.ts'`,
    'stray.test.ts': `test('b', async () => { void Promise.reject(new Error('stray')); await new Promise(setImmediate) })`,
  }
  expect(await lastLineOf(files)).toBe('Tests: 2 passed, 2 failed')
})
