import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stage } from '../modes/refinement/cli/stage.ts'

const root = join(import.meta.dirname, '..', '..')
const page = fs.readFileSync(join(root, 'docs', 'library.md'), 'utf8')
const examples = [
  ...page.matchAll(/^## (.*)\n(?:(?!^## )[\s\S])*?^```js\n([\s\S]*?)^```\n\n^```text\n([\s\S]*?)^```$/gm),
].map(([, title, source, prints]) => ({ title: title!, source: source!, prints: prints! }))

test('there is an example of each part', () => {
  expect(examples.map(({ title }) => title)).toEqual([
    'Plan a PRD',
    'Execute a plan with your own agent',
    'Refine a text',
    'Revise written work',
    'Use another run store',
    'Errors',
  ])
})

test.each(examples)('$title: the example prints what the page says', async ({ source, prints }) => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'pawl-library-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  fs.mkdirSync(join(folder, 'node_modules'))
  fs.symlinkSync(root, join(folder, 'node_modules', 'pawl'))
  fs.writeFileSync(join(folder, 'example.mjs'), source)
  const { env } = await stage({ beats: [{ text: 'Click by click it turns', score: 90 }] })
  const child = spawn(process.execPath, ['example.mjs'], {
    cwd: folder,
    env: { ...env, PATH: process.env.PATH, HOME: folder, TMPDIR: folder },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()))
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect([code, said]).toEqual([0, prints])
})
