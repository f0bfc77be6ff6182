import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { isWhole } from '../../support/sample.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

test.runIf(isWhole)('an agent that never answers is given up after half a minute', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'pawl-acp-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  const words = [path('../../../src/adapters/acp/bridge.ts'), process.execPath, path('fixtures/acp-agent.ts'), 'mute']
  const options = { cwd, input: 'do it', encoding: 'utf8', timeout: 200_000 } as const
  const { status, stdout } = spawnSync(process.execPath, words, options)
  expect(status).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ type: 'error', message: 'no answer to initialize within 30 s' })
})
