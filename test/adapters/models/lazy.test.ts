import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('making a model loads nothing of the SDK, and a call only what its provider needs', () => {
  const program = join(import.meta.dirname, 'fixtures', 'loaded.ts')
  const { made, called } = JSON.parse(execFileSync(process.execPath, [program], { encoding: 'utf8' })) as {
    made: string[]
    called: string[]
  }
  expect(made).toEqual([])
  expect(called).toContain('@ai-sdk/openai-compatible')
  expect(called).not.toContain('ai')
  expect(called).not.toContain('@ai-sdk/anthropic')
})
