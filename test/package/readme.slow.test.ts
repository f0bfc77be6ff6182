import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

// These two install everything anew; a clean clone on a bare machine runs them.
const elsewhere = ['npm ci && npm start', 'npm ci && npm test']

test('every command of the README works, in its order, as it stands there', () => {
  const readme = fs.readFileSync(join(root, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1]!.trim())
  expect(blocks.length).toBeGreaterThan(7)
  expect(blocks.slice(0, 2)).toEqual(elsewhere)

  const home = fs.mkdtempSync(join(tmpdir(), 'pawl-readme-'))
  onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }))
  const bin = join(home, 'bin')
  fs.mkdirSync(bin)
  fs.mkdirSync(join(home, 'repo'))
  fs.symlinkSync(join(root, 'bin', 'pawl'), join(bin, 'pawl'))
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, LANG: 'C.UTF-8' }
  for (const block of blocks.slice(2)) {
    const { status, stderr, stdout } = spawnSync('sh', ['-e', '-c', block], {
      cwd: join(home, 'repo'),
      env,
      encoding: 'utf8',
    })
    expect(status, `${block}\n${stdout}${stderr}`).toBe(0)
  }
})

test('no document names a file that is not there', () => {
  for (const name of ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'AGENTS.md']) {
    const text = fs.readFileSync(join(root, name), 'utf8')
    for (const [, target] of text.matchAll(/\]\(((?!https?:|#)[^)]+)\)/g)) {
      expect(fs.existsSync(join(root, target!.split('#')[0]!)), `${name} links to ${target}`).toBe(true)
    }
  }
})
