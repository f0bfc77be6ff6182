import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCommandAgent } from '../../src/adapters/agents/command.ts'
import { createShell } from '../../src/adapters/shell/shell.ts'
import type { Agent } from '../../src/ports/agent.ts'
import { probeAgent } from '../../src/setup/doctor/probes.ts'
import { processesWith, uniqueSleep } from '../adapters/shell/helpers.ts'
import { scratch } from './init/fixture.ts'

const never = new AbortController().signal

/** An agent that is a few lines of shell; `$text` is what it was asked to write. */
function agentOf(script: string): Agent {
  const shell = createShell({ secrets: [], isolation: 'off', ladder: { termMs: 100, killMs: 200 } })
  const argv = ['/bin/sh', '-c', `text=$(grep -x '[0-9a-f]\\{16\\}')\n${script}`] as const
  const env = { PATH: '/usr/bin:/bin' }
  return createCommandAgent(shell, { adopt: async () => undefined }, { name: 'mine', argv, env, now: Date.now })
}

const probe = (script: string, boundMs = 20_000, signal = never) =>
  probeAgent(agentOf(script), { environment: scratch().environment, boundMs }, signal)

test('an agent that makes the file works, and what it used is told', async () => {
  const used = `echo '{"usage":{"tokens":42,"cost_usd":0.5}}' > $PAWL_RESULT_FILE`
  const found = await probe(`echo "$text" > probe.txt; ${used}`)
  expect(found).toMatchObject({ agent: 'mine', status: 'works', usage: { tokens: 42, costUsd: 0.5 } })
  expect(found.ms).toBeGreaterThan(0)
})

test('one that only claims to is found out, and quoted', async () => {
  expect(await probe('echo "I have created probe.txt."')).toMatchObject({
    status: 'no-file',
    says: 'created no file (exit 0): it probably needs permission to edit files; it said: I have created probe.txt.',
    usage: { tokens: null, costUsd: null },
  })
})

test('another text, a folder or a link in the place of the file are no success', async () => {
  expect(await probe('echo hello > probe.txt')).toMatchObject({ status: 'wrong-text' })
  expect(await probe('mkdir probe.txt')).toMatchObject({ status: 'no-file' })
  expect(await probe('echo "$text" > real; ln -s real probe.txt')).toMatchObject({ status: 'no-file' })
})

test('one that hangs is ended in time with everything it started', async () => {
  const sleep = uniqueSleep()
  const found = await probe(`trap '' INT TERM; setsid sleep ${sleep} & sleep ${sleep}`, 300)
  expect(found).toMatchObject({ status: 'timed-out', says: 'did not finish within 0.3 s' })
  expect(processesWith(sleep)).toEqual([])
})

test('one that fails says how, whatever it made', async () => {
  const found = await probe('echo "$text" > probe.txt; echo "Invalid API key"; exit 1')
  expect(found).toMatchObject({ status: 'failed', says: 'exit 1; Invalid API key' })
})

test('one at its limit is unavailable and not broken', async () => {
  const limit = `echo '{"limit":{"reset_at":9999999999999}}' > $PAWL_RESULT_FILE`
  expect(await probe(`${limit}; exit 1`)).toMatchObject({ status: 'unavailable' })
})

test('it works in a repository of its own, which is gone afterwards', async () => {
  const noted = join(scratch().root, 'where')
  const found = await probe(`pwd > ${noted}; git rev-parse --is-inside-work-tree && echo "$text" > probe.txt`)
  expect(found.status).toBe('works')
  const where = readFileSync(noted, 'utf8').trim()
  expect([where.startsWith(tmpdir()), existsSync(where)]).toEqual([true, false])
})

test('a process that its agent did not end is noticed', async () => {
  const sleep = uniqueSleep()
  let pid = 0
  const careless: Agent = {
    name: 'careless',
    run: async (request, signal) => {
      const env = { PATH: '/usr/bin:/bin', PAWL_SCOPE: request.run }
      const report = await agentOf('true').run(request, signal)
      const child = spawn('sleep', [sleep], { env, stdio: 'ignore' })
      await new Promise((resolve) => child.once('spawn', resolve))
      pid = child.pid!
      return report
    },
  }
  const found = await probeAgent(careless, { environment: scratch().environment }, never)
  process.kill(pid, 'SIGKILL')
  expect(found).toMatchObject({
    status: 'left-processes',
    says: 'processes still running: 1',
  })
})

test('an interruption reaches the agent', async () => {
  const stop = new AbortController()
  const sleep = uniqueSleep()
  const running = probe(`sleep ${sleep}`, 60_000, stop.signal)
  while (processesWith(sleep).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  stop.abort()
  expect((await running).status).toBe('timed-out')
  expect(processesWith(sleep)).toEqual([])
})
