import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const module = new URL('../../../src/adapters/shell/temp-folder.ts', import.meta.url).pathname
const make = `import { makeTempFolder } from '${module}'; console.log(makeTempFolder());`

const newTemp = (): string => {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'pawl-test-')))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('the folder of a killed process is removed by the next one; that of a live process, and any other, stays', async () => {
  const env = { ...process.env, TMPDIR: newTemp() }
  const live = spawn(process.execPath, ['--input-type=module', '-e', `${make} setInterval(() => {}, 1000)`], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void live.kill('SIGKILL'))
  const [kept] = (await once(live.stdout.setEncoding('utf8'), 'data')) as [string]
  const run = (more = ''): string =>
    execFileSync(process.execPath, ['--input-type=module', '-e', `${make} ${more}`], { env, encoding: 'utf8' }).trim()
  const left = run()
  for (const other of ['pawl-abc', 'pawl-demo-x', 'other']) fs.mkdirSync(join(env.TMPDIR, other))
  const elsewhere = basename(left).replace(/^pawl-[0-9a-z]+/, 'pawl-elsewhere')
  fs.mkdirSync(join(env.TMPDIR, elsewhere))
  const last = run()
  const names = [kept.trim(), last].map((path) => basename(path))
  expect(fs.readdirSync(env.TMPDIR).sort()).toEqual(['other', 'pawl-abc', 'pawl-demo-x', elsewhere, ...names].sort())
})
