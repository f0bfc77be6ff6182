import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { capture } from '../../../src/adapters/shell/capture.ts'
import { readProcess } from '../../../src/adapters/shell/processes.ts'
import type { Question } from '../../../src/ports/capture.ts'
import { until } from '../../surfaces/cli/pawl.ts'

const ask = (script: string, options: Partial<Question> = {}) =>
  capture({
    argv: ['/bin/sh', '-c', script],
    cwd: '/',
    env: { PATH: process.env.PATH!, ONLY: 'this' },
    maxBytes: 1000,
    timeoutMs: 10_000,
    ...options,
  })

test('an answer is the code, the bytes and the end of what went wrong', async () => {
  const long = 'yes no | head -n 4000 >&2'
  const answer = await ask(`printf 'a\\0b'; ${long}; echo last >&2; exit 3`)
  if ('problem' in answer) throw new Error(answer.problem)
  expect([answer.code, answer.stdout]).toEqual([3, Buffer.from('a\0b')])
  expect([answer.stderrTail.length, answer.stderrTail.slice(-6)]).toEqual([4096, '\nlast\n'])
})

test('it sees no variable that it was not given, and no input', async () => {
  const answer = await ask('cat; env')
  if ('problem' in answer) throw new Error(answer.problem)
  const names = answer.stdout.toString().match(/^[^=]+(?==)/gm) ?? []
  const given = names.filter((name) => !['PWD', '_', 'SHLVL', 'OLDPWD'].includes(name))
  expect(new Set(given)).toEqual(new Set(['ONLY', 'PATH']))
})

test('it reads the input that it is given, and need not read it', async () => {
  const input = Buffer.alloc(500_000, 'x')
  expect(await ask('wc -c', { input })).toMatchObject({ code: 0, stdout: Buffer.from('500000\n') })
  expect(await ask('exit 4', { input })).toMatchObject({ code: 4 })
})

test('where the beginning is enough it is the answer, without a code', async () => {
  const answer = await ask('yes', { beginning: true, maxBytes: 7 })
  expect(answer).toEqual({ code: null, stdout: Buffer.from('y\ny\ny\ny'), stderrTail: '' })
  expect(await ask('echo y', { beginning: true, maxBytes: 7 })).toMatchObject({ code: 0, stdout: Buffer.from('y\n') })
})

test('a signal stops it, also one that was given before', async () => {
  const stopped = { problem: '/bin/sh was stopped', cut: true }
  const controller = new AbortController()
  const asked = ask('sleep 60', { signal: controller.signal })
  controller.abort()
  expect(await asked).toEqual(stopped)
  expect(await ask('sleep 60', { signal: AbortSignal.abort() })).toEqual(stopped)
})

test('a program that runs too long or prints too much is killed with its children', async () => {
  const dir = fs.mkdtempSync(join(tmpdir(), 'pawl-capture-'))
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }))
  const stuck = (name: string) => `sleep 60 & echo $! >${dir}/${name}; mv ${dir}/${name} ${dir}/${name}.pid;`
  expect(await ask(`${stuck('time')} wait`, { timeoutMs: 500 })).toEqual({
    problem: '/bin/sh took longer than 0.5 s',
    cut: true,
  })
  expect(await ask(`${stuck('bytes')} yes`)).toEqual({ problem: '/bin/sh printed more than 1000 bytes', cut: true })
  for (const name of ['time', 'bytes']) {
    const pid = Number(fs.readFileSync(join(dir, `${name}.pid`), 'utf8'))
    await until(() => [null, 'Z'].includes(readProcess(pid)?.state ?? null), `${name}: the child is gone`)
  }
})

test('a program or folder that is not there is a problem, not an error', async () => {
  const nothing = { env: {}, maxBytes: 10, timeoutMs: 1000 }
  expect(await capture({ argv: ['/no/such'], cwd: '/', ...nothing })).toMatchObject({
    problem: expect.stringMatching(/ENOENT/),
  })
  expect(await capture({ argv: ['/bin/sh'], cwd: '/no/such', ...nothing })).toMatchObject({
    problem: expect.stringMatching(/ENOENT/),
  })
  expect(await capture({ argv: ['/bin/\0'], cwd: '/', ...nothing })).toMatchObject({
    problem: expect.stringMatching(/null bytes/),
  })
})
