import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { carriesMark } from '../../../src/adapters/shell/processes.ts'
import { createShell } from '../../../src/adapters/shell/shell.ts'
import { folder, missing, processesWith, shellOf, uniqueSleep, until } from './helpers.ts'

const fixture = join(import.meta.dirname, 'fixtures/supervisor.ts')
const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

async function startAndKill(isolation: 'auto' | 'off', scope: string, sleep: string): Promise<void> {
  const script = `setsid nohup sleep ${sleep} & sleep ${sleep}`
  const supervisor = spawn(process.execPath, [fixture, isolation, scope, join(folder, 'log'), script], {
    stdio: 'inherit',
  })
  started.push(supervisor)
  await until(() => sleepers(sleep).length === 2)
  supervisor.kill('SIGKILL')
  await until(() => supervisor.signalCode !== null)
}

function sleepers(sleep: string): number[] {
  return processesWith(`sleep\0${sleep}`)
}

test('marker: what a killed supervisor left is found by its scope and ended by the next one', async () => {
  const [sleep, other] = [uniqueSleep(), uniqueSleep()]
  await startAndKill('off', `crashed-${sleep}`, sleep)
  await startAndKill('off', `crashed-${sleep}0`, other)
  expect(sleepers(sleep)).toHaveLength(2)
  expect(await shellOf('marker').endLeftovers(`crashed-${sleep}`)).toBe(3)
  expect(processesWith(sleep).filter((pid) => carriesMark(pid, `PAWL_SCOPE=crashed-${sleep}`))).toEqual([])
  // A scope whose name merely begins the same is another run.
  expect(sleepers(other)).toHaveLength(2)
  expect(await shellOf('marker').endLeftovers(`crashed-${sleep}0`)).toBe(3)
  expect(sleepers(other)).toEqual([])
  expect(await shellOf('marker').endLeftovers(`crashed-${sleep}`)).toBe(0)
})

test('marker: a run of the same name elsewhere is not taken for what this one left', async () => {
  const [sleep, scope] = [uniqueSleep(), `alike-${uniqueSleep()}`]
  const shellWith = (runMark: string) => createShell({ secrets: [], isolation: 'off', runMark })
  const argv = ['sh', '-c', `sleep ${sleep}; true`] as const
  const command = { argv, cwd: folder, env: { PATH: process.env.PATH! }, log: join(folder, 'alike.log'), scope }
  const running = shellWith('one').run(command, new AbortController().signal)
  await until(() => sleepers(sleep).length === 1)
  expect(await shellWith('other').endLeftovers(scope)).toBe(0)
  expect(sleepers(sleep)).toHaveLength(1)
  expect(await shellWith('one').endLeftovers(scope)).toBe(2)
  expect(await running).toMatchObject({ signal: 'SIGKILL' })
})

test.skipIf(missing('bubblewrap'))(
  'bubblewrap: everything dies with its supervisor (needs a bwrap that works)',
  async () => {
    const sleep = uniqueSleep()
    await startAndKill('auto', `crashed-${sleep}`, sleep)
    await until(() => processesWith(sleep).length === 0)
  },
)

test.skipIf(process.platform !== 'linux')('a bwrap that hangs while it is tried out is found by the mark', async () => {
  const [sleep, bubblewrap] = [uniqueSleep(), join(folder, 'hanging')]
  writeFileSync(bubblewrap, `#!/bin/sh\nsleep ${sleep}; exit 1\n`, { mode: 0o755 })
  const shell = createShell({ secrets: [], isolation: 'auto', bubblewrap, runMark: sleep })
  const tried = shell.isolation()
  await until(() => sleepers(sleep).length === 1)
  expect(await shell.endLeftovers('any')).toBe(2)
  expect([await tried, sleepers(sleep)]).toEqual(['marker', []])
})

test('a supervisor that carries the scope itself does not end itself or those above it', async () => {
  const scope = `nested-${uniqueSleep()}`
  const nested = `"${process.execPath}" ${join(import.meta.dirname, 'fixtures/end-leftovers.ts')} ${scope}; echo alive`
  const { run } = shellOf('marker')
  const env = { PATH: process.env.PATH! }
  const command = { argv: ['sh', '-c', nested] as const, cwd: folder, env, log: join(folder, 'nested.log'), scope }
  expect(await run(command, new AbortController().signal)).toMatchObject({ code: 0, stdoutTail: '0\nalive\n' })
})
