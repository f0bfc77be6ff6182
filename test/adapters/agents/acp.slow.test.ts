import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

test('an agent that never answers is given up after half a minute', () => {
  const words = [path('../../../src/adapters/acp/bridge.ts'), process.execPath, path('fixtures/acp-agent.ts'), 'mute']
  const { status, stdout } = spawnSync(process.execPath, words, { input: 'do it', encoding: 'utf8', timeout: 50_000 })
  expect(status).toBe(1)
  expect(JSON.parse(stdout)).toEqual({ type: 'error', message: 'no answer to initialize within 30 s' })
})
