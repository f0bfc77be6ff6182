import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

test('what docs/contract.md says to try works as it stands there', () => {
  const page = fs.readFileSync(join(root, 'docs', 'contract.md'), 'utf8')
  const [block, ...more] = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1]!)
  expect(more).toEqual([])
  const home = fs.mkdtempSync(join(tmpdir(), 'pawl-contract-'))
  onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }))
  const env = { PATH: `${join(root, 'bin')}:${process.env.PATH}`, HOME: home, LANG: 'C.UTF-8' }
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', block!], { cwd: home, env, encoding: 'utf8' })
  expect(status, stdout + stderr).toBe(0)
  expect(stderr).toContain('is already completed')
  expect(fs.readdirSync(join(home, 'out'))).toEqual(
    expect.arrayContaining(['plan.json', 'progress.ndjson', 'result.json']),
  )
})
