import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createShell } from '../../src/adapters/shell/shell.ts'
import type { Rung } from '../../src/contract/models.ts'
import { createModel } from '../../src/machine/create-model.ts'

const folder = mkdtempSync(join(tmpdir(), 'pawl-scripted-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const script = join(folder, 'script.yml')
const rung: Rung = {
  id: 'ollama',
  label: 'Llama',
  provider: 'scripted',
  model: 'm',
  local: true,
  contextTokens: 8000,
  price: null,
  baseUrl: script,
}
const shell = createShell({ secrets: [], isolation: 'off' })
const model = (one = rung) => createModel(one, { env: {}, now: Date.now, estimateTokens: () => 1, shell, run: 'r' })
const never = new AbortController().signal

test('a script works as a model, and its errors have a fault', async () => {
  const steps = [
    'reply: hello',
    'score: 85',
    'error: unavailable',
    'error: unavailable, retry_in_ms: 10',
    'error: failed',
  ]
  writeFileSync(script, `model:\n${[...steps, "reply: ''"].map((step) => `  - { ${step} }\n`).join('')}`)
  const one = model()
  const replies = []
  for (const _ of [...steps, 'empty']) replies.push(await one.call({ prompt: 'x' }, never))
  expect(replies.map(({ status, fault, text }) => [status, fault, text])).toEqual([
    ['ok', undefined, 'hello'],
    ['ok', undefined, '{"score":85}'],
    ['unavailable', 'provider', ''],
    ['unavailable', 'limit', ''],
    ['failed', 'refused', ''],
    ['failed', 'empty', ''],
  ])
  expect(await model().call({ prompt: 'x' }, AbortSignal.abort())).toMatchObject({ status: 'failed', fault: 'stopped' })
})

test('a script that is not there fails the call, not the making', async () => {
  const none = model({ ...rung, baseUrl: join(folder, 'none.yml') })
  expect(await none.call({ prompt: 'x' }, never)).toMatchObject({ status: 'failed', fault: 'request' })
})
