import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { allPids, carriesMark, isAlive, readProcess } from '../../../src/adapters/shell/processes.ts'
import { openFilesStore } from '../../../src/adapters/stores/files/store.ts'
import { checkClaims } from '../../../src/setup/demo/demo.ts'
import type { Claim } from '../../../src/setup/demo/evidence.ts'
import { doctors, type Played } from '../../setup/demo/doctors.ts'
import { newWorkspace, until } from './pawl.ts'

// A demo takes a quarter of a minute, and several on a busy machine their time.
vi.setConfig({ testTimeout: 180_000 })

type Told = { readonly claims: readonly Claim[]; readonly seen: Played }

const falseOnes = (claims: readonly Claim[]): string[] => claims.filter(({ holds }) => !holds).map(({ says }) => says)

const marked = (mark: string): number[] =>
  allPids().filter((pid) => {
    const found = carriesMark(pid, mark) ? readProcess(pid) : null
    return found !== null && isAlive(found)
  })

test('Ctrl-C ends it and everything that it has started', async () => {
  const { root, start } = newWorkspace()
  const demo = start('demo', '--keep', join(root, 'kept'))
  const home = `HOME=${join(root, 'kept', 'home')}`
  await until(() => demo.said().includes('S2 attempt 1/4'), 'S2 is at work', 120_000)
  // The demo's command, the agent, and what the agent leaves behind.
  await until(() => marked(home).length > 2, 'all of it is up')
  demo.child.kill('SIGINT')
  const { code, err } = await demo
  expect(err).toContain('the demo was stopped by SIGINT')
  expect(code).toBe(130)
  expect(marked(home)).toEqual([])
})

test('every claim is true, and every claim could be false', async () => {
  const { root, run } = newWorkspace({ env: { PAWL_SANDBOX: 'auto' } })
  const kept = join(root, 'kept')
  const { code, out, err } = await run('demo', '--json', '--keep', kept)
  const { claims, seen } = JSON.parse(out) as Told
  expect(falseOnes(claims), err).toEqual([])
  expect(code).toBe(0)
  expect(err).toMatch(/^ {2}Agent: scripted, by .*agent\.yml$/m)
  expect(err).toMatch(/S3: the agent hit a usage limit\n.* Waiting \d\.\ds \(usage limit\)/)
  expect(err).toMatch(/\[Judge: ✗ "The weather is darker/)
  expect(err).toContain('Major changes: Nobody expects the boat any more')
  // The description of the scripted model is true, so nothing in it is doubted.
  expect(err).not.toMatch(/Check: |Not explained: /)
  // The home that it was started from has nothing of it.
  expect(fs.readdirSync(root).sort()).toEqual(['kept', 'repo'])

  const elsewhere = join(root, 'elsewhere')
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: seen.repository, encoding: 'utf8', stdio: 'pipe' }).trim()
  git('clone', '--quiet', '.', elsewhere)
  const commits = git(
    'log',
    '--reverse',
    '--format=%H %(trailers:key=Pawl-Story,valueonly,separator=)',
    `${seen.first}..`,
  )
  expect(commits.split('\n')).toHaveLength(3)
  for (const [commit = '', story] of commits.split('\n').map((line) => line.split(' '))) {
    git('-C', elsewhere, 'checkout', '--quiet', '--detach', commit)
    execFileSync(process.execPath, ['--test', `test/${story}.test.js`], { cwd: elsewhere, stdio: 'pipe' })
  }

  expect(Object.keys(doctors)).toEqual(claims.map(({ says }) => says))
  for (const [says, doctor] of Object.entries(doctors)) {
    const copy = join(root, 'copy')
    fs.cpSync(kept, copy, { recursive: true, verbatimSymlinks: true })
    const there = JSON.parse(JSON.stringify(seen).replaceAll(kept, copy)) as Played
    const stateFolder = join(copy, 'home', '.local', 'state', 'pawl')
    const store = openFilesStore({ workspace: there.repository, folder: '.pawl', stateFolder })
    expect(falseOnes(await checkClaims(doctor(there) ?? there, store))).toContain(says)
    fs.rmSync(copy, { recursive: true })
  }
})

test('one claim that turns out false ends it with 1', async () => {
  const { root, start } = newWorkspace()
  const demo = start('demo', '--keep', join(root, 'kept'))
  // Somebody writes into the repository behind its back, when the run is over and the claims are not yet read.
  await until(() => demo.said().includes('$ pawl show'), 'the run is over', 120_000)
  fs.writeFileSync(join(root, 'kept', 'repository', 'stray.txt'), 'of no story\n')
  const { code, out } = await demo
  expect(out).toMatch(/^ {2}FALSE {2}everything is committed\n +git status: \?\? stray\.txt$/m)
  expect(out).toMatch(/^1 of \d+ claims FALSE\.$/m)
  expect(code).toBe(1)
})

test('killed in the middle, its run is ended as well', async () => {
  const { root, start } = newWorkspace()
  const demo = start('demo', '--keep', join(root, 'kept'))
  const home = `HOME=${join(root, 'kept', 'home')}`
  await until(() => demo.said().includes('$ kill -9'), 'pawl is killed', 120_000)
  demo.child.kill('SIGTERM')
  expect((await demo).code).toBe(143)
  expect(marked(home)).toEqual([])
})

const worker = `#!/bin/sh
cat >/dev/null
mkdir -p src
case $PAWL_STORY_ID in
  S1) echo 'export const price = (cents) => (cents / 100).toFixed(2)' >src/price.js ;;
  S2) echo 'export const total = (basket) => basket.reduce((sum, i) => sum + i.cents * i.quantity, 0)' >src/total.js ;;
  S3) cat >src/receipt.js <<'JS'
import { price } from './price.js'
import { total } from './total.js'
const line = (i) => i.quantity + ' ' + i.name + ' ' + price(i.cents * i.quantity)
export const receipt = (basket) => [...basket.map(line), 'Total ' + price(total(basket))].join('\\n')
JS
    ;;
esac
echo '{"type":"turn.completed","usage":{"input_tokens":10,"cached_input_tokens":0,"output_tokens":5}}'
`

test('a real agent does the same work, without the parts that need a script', async () => {
  const { root, env, run } = newWorkspace()
  fs.mkdirSync(join(root, 'bin'))
  fs.writeFileSync(join(root, 'bin', 'codex'), worker, { mode: 0o755 })
  env.PATH = `${join(root, 'bin')}:${env.PATH}`
  const { code, out, err } = await run('demo', '--agent', 'codex', '--keep', join(root, 'kept'))
  expect(out, err).toContain('Left out')
  expect(out).toMatch(/^ {2}true {3}three stories, three commits$/m)
  expect(out).not.toContain('FALSE')
  expect(out).not.toContain('$ kill')
  expect(out).not.toContain('$ pawl write')
  expect(code).toBe(0)
})
