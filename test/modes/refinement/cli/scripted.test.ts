import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { newWorkspace } from '../../../surfaces/cli/pawl.ts'
import { judgement, planOf } from './stage.ts'

/** The model of docs/scripted.md at the command line: no server, no key, the same every time. */

const plan = { reply: planOf(['Outline', 'Draft', 'Refine']), tokens: 20 }
const texts = ['one', 'two', 'three'].map((reply) => ({ reply, tokens: 20 }))
const judged = (score: number) => ({ reply: judgement(score), tokens: 20 })

function scripts(files: Readonly<Record<string, readonly object[]>>) {
  const pawl = newWorkspace()
  for (const [name, model] of Object.entries(files)) {
    fs.writeFileSync(join(pawl.workspace, name), stringify({ model }))
  }
  const refine = (...words: string[]) => pawl.run('refine', 'Say it well', '--preset', 'sap-0020', ...words)
  return { ...pawl, refine }
}

test('--model and --judge take scripts, also where nothing may leave this machine', async () => {
  const { refine } = scripts({ 'writer.yml': [plan, ...texts], 'judge.yml': [judged(90)] })
  const words = ['--model', 'scripted:writer.yml', '--judge', 'scripted:judge.yml', '--no-calibrate', '--local-only']
  const { code, out, err } = await refine(...words)
  expect([code, out], err).toEqual([0, 'three\n'])
  expect(err).toContain('Models: writer.yml.')
})

test("the ladder of a person's own config takes them too", async () => {
  const pawl = scripts({ 'both.yml': [plan, texts[0]!, judged(90)] })
  const folder = join(pawl.root, '.config', 'pawl')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(join(folder, 'config.yml'), `ladder: ["scripted:${join(pawl.workspace, 'both.yml')}"]\n`)
  const { code, err } = await pawl.refine('--max-iterations', '1')
  expect(code, err).toBe(30)
  expect(err).toContain('Models: both.yml.')
  expect(err).toContain('Reason: iteration limit reached')
})

test('a script that is not there is said before anything is made', async () => {
  const { refine, workspace } = scripts({})
  const { code, out, err } = await refine('--model', 'scripted:none.yml')
  expect([code, out]).toEqual([10, ''])
  expect(err).toContain(`none.yml (scripted:none.yml): ${join(workspace, 'none.yml')}: ENOENT`)
  expect(fs.existsSync(join(workspace, '.pawl', 'runs'))).toBe(false)
})
