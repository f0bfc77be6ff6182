import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readScript } from '../../../src/adapters/scripted/script.ts'
import { ScriptFile } from '../../../src/contract/script.ts'

const folder = mkdtempSync(join(tmpdir(), 'pawl-script-'))
const file = join(folder, 'script.yml')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['agent: [{ outptu: x }]', 'agent.0.outptu: unknown key'],
  ['agnet: []', 'agnet: unknown key'],
  ['agent: [{ fork: [{ seconds: 1, forever: true }] }]', 'agent.0.fork.0.forever: unknown key'],
  ['agent: [{ exit: 256 }]', 'agent.0.exit: '],
  ['model: [{ error: broken }]', 'model.0.error: '],
  ['agent: [', 'line 1'],
])('%s is refused with file and key', (text, words) => {
  writeFileSync(file, text)
  expect(() => readScript(file)).toThrow(`${file}: `)
  expect(() => readScript(file)).toThrow(words)
})

test('a missing file is named', () => {
  expect(() => readScript(join(folder, 'none.yml'))).toThrow('none.yml')
})

test('an empty file is an empty script', () => {
  writeFileSync(file, '')
  expect(readScript(file)).toEqual(ScriptFile.parse({}))
})
