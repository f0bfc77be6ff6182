import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findOldNode, makeRoot, makeTempFolder, pathWith, projectRoot, type Report, run } from './fake-root.ts'

const temp = makeTempFolder()
afterAll(() => rmSync(temp, { recursive: true, force: true }))

const plain = makeRoot(join(temp, 'plain'), { withNode: true })
const bare = makeRoot(join(temp, 'bare'), { withNode: false })
const odd = makeRoot(join(temp, `it's "odd"  $HOME\n and more\n`), { withNode: true })

async function report(
  command: string,
  args: readonly string[] = [],
  cwd?: string,
): Promise<Report & { spawned: number }> {
  const { stdout, stderr, code, pid } = await run(command, args, { cwd: cwd ?? temp })
  expect([code, stderr]).toEqual([0, 'engine loaded\n'])
  return { ...JSON.parse(stdout), spawned: pid }
}

test('it becomes the engine: one process with one pid', async () => {
  const { pid, spawned } = await report(join(plain, 'bin', 'pawl'), ['ls'])
  expect(pid).toBe(spawned)
})

test('arguments arrive as they were given', async () => {
  const args = ['run', '', 'a b', `"'$HOME\``, '*', '-x', 'line\nline\n']
  expect((await report(join(plain, 'bin', 'pawl'), args)).argv).toEqual(args)
})

test('it runs from another folder by a relative path', async () => {
  mkdirSync(join(temp, 'elsewhere', 'deep'), { recursive: true })
  expect((await report('../../plain/bin/pawl', ['ls'], join(temp, 'elsewhere', 'deep'))).argv).toEqual(['ls'])
  expect((await report('./pawl', ['ls'], join(plain, 'bin'))).argv).toEqual(['ls'])
  expect((await report('sh', ['pawl', 'ls'], join(plain, 'bin'))).argv).toEqual(['ls'])
})

test('its folder may have spaces, quotes, dollars and newlines', async () => {
  expect((await report(join(odd, 'bin', 'pawl'), ['ls'])).argv).toEqual(['ls'])
})

const shells = [['dash'], ['bash', '--posix'], ['busybox', 'sh'], ['zsh', '--emulate', 'sh']]

test.for(shells)('a chain of links, absolute and relative, leads home: %s', async ([shell, ...options], { skip }) => {
  if (spawnSync(shell!, [...options, '-c', ':']).status !== 0) skip(`${shell} is not here`)
  const chain = join(temp, `chain of\n${shell}`)
  mkdirSync(join(chain, 'inner'), { recursive: true })
  symlinkSync(join(odd, 'bin', 'pawl'), join(chain, 'inner', 'last\n'))
  symlinkSync('inner/last\n', join(chain, 'middle'))
  symlinkSync('../middle', join(chain, 'inner', "fir'st"))
  const first = join(chain, 'inner', "fir'st")
  expect((await report(shell!, [...options, first, 'ls'])).argv).toEqual(['ls'])
  expect((await report(first, ['ls'])).argv).toEqual(['ls'])
})

test('a linked folder leads home too', async () => {
  symlinkSync(join(plain, 'bin'), join(temp, 'linked-bin'))
  expect((await report(join(temp, 'linked-bin', 'rooda'), ['ls'])).invokedAs).toBe('rooda')
})

test.for([
  ['pawl', 'pawl'],
  ['rooda', 'rooda'],
  ['santiago', 'santiago'],
])('called as %s, the engine hears %s and no child does', async ([name, heard]) => {
  const { invokedAs, own, child } = await report(join(plain, 'bin', name!), ['ls'])
  expect({ invokedAs, own, child }).toEqual({ invokedAs: heard, own: null, child: 'undefined' })
})

test('another name counts as pawl', async () => {
  symlinkSync(join(plain, 'bin', 'rooda'), join(temp, 'mine'))
  expect((await report(join(temp, 'mine'), ['ls'])).invokedAs).toBe('pawl')
})

test('the exit code is the engine’s', async () => {
  for (const code of [0, 1, 30, 130]) {
    expect((await run(join(plain, 'bin', 'pawl'), ['exit', String(code)])).code).toBe(code)
  }
})

test.for<[NodeJS.Signals, number | null, string | null]>([
  ['SIGTERM', 43, null],
  ['SIGKILL', null, 'SIGKILL'],
])('%s reaches the engine itself', async ([signal, code, endedBy]) => {
  const child = spawn(join(plain, 'bin', 'pawl'), ['wait'], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([code, endedBy])
  expect(() => process.kill(child.pid!, 0)).toThrow('ESRCH')
})

test('the Node brought along comes first, then the one on PATH', async () => {
  expect((await run(join(plain, 'bin', 'pawl'), ['--version'], { env: pathWith(null) })).stdout).toBe('9.8.7\n')
  const { code, stdout } = await run(join(bare, 'bin', 'pawl'), ['--version'], { env: pathWith(process.execPath) })
  expect([code, stdout]).toEqual([0, '9.8.7\n'])
})

test('without any Node: 69 and one line of what is needed', async () => {
  const { code, stdout, stderr } = await run(join(bare, 'bin', 'pawl'), ['--version'], { env: pathWith(null) })
  expect([code, stdout]).toEqual([69, ''])
  expect(stderr).toMatch(/^pawl: needs Node 22\.22 or 24\.15 or newer.*npm ci.*\n$/)
})

test('with an old Node: 69 and one line of what is needed', async ({ skip }) => {
  const old = findOldNode()
  if (old === null) return skip('no Node older than 22 on PATH')
  const { code, stdout, stderr } = await run(join(bare, 'bin', 'pawl'), ['ls'], { env: pathWith(old) })
  expect([code, stdout]).toEqual([69, ''])
  expect(stderr).toMatch(/^pawl: needs Node 22\.22 or 24\.15 or newer; this is Node [\d.]+ .*\n$/)
})

test('the names of a checkout are links to pawl', () => {
  for (const name of ['rooda', 'santiago']) expect(readlinkSync(join(projectRoot, 'bin', name))).toBe('pawl')
})
