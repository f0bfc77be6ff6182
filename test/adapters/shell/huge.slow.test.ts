import { execFileSync } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from './helpers.ts'

const MiB = 1024 * 1024
const agent = join(import.meta.dirname, '../../../src/adapters/scripted/agent.ts')
const fixture = join(import.meta.dirname, 'fixtures/huge.ts')

test.each([
  ['in lines', (bytes: number) => scripted(bytes)],
  ['in one line', (bytes: number) => ['sh', '-c', `head -c ${bytes} /dev/zero`]],
])('1 GB of output %s grows the supervisor by at most 64 MiB', (_, argvOf) => {
  const bytes = 1_000_000_000
  const log = join(folder, 'huge.log')
  const told = execFileSync(process.execPath, [fixture, log, ...argvOf(bytes)], { encoding: 'utf8' })
  console.log(told.trim())
  const result = JSON.parse(told) as Record<string, number>
  expect(result).toMatchObject({ outputBytes: bytes, truncated: true, code: 0, tail: 64 * 1024 })
  expect(result.growth).toBeLessThanOrEqual(64 * MiB)
  expect(statSync(log).size).toBeLessThan(16 * MiB + 100)
})

function scripted(bytes: number): string[] {
  const script = join(folder, 'huge.yml')
  writeFileSync(script, `agent:\n  - bytes: ${bytes}\n`)
  return [process.execPath, agent, script]
}
