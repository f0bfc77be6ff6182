import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Environment } from '../../src/run/machine.ts'
import { configurationFinding } from '../../src/setup/doctor/configuration.ts'
import { agentFindings, gitFindings, runDoctor } from '../../src/setup/doctor/doctor.ts'
import { type FoundAgent, findAgents } from '../../src/setup/find-agents.ts'
import { planInit } from '../../src/setup/init/plan.ts'
import { writeInit } from '../../src/setup/init/write.ts'
import { scratch } from './init/fixture.ts'

const absent = (name: FoundAgent['name']): FoundAgent => ({
  name,
  path: null,
  version: null,
  problem: null,
  login: { status: 'no', by: null },
})
const present = (name: FoundAgent['name'], more: Partial<FoundAgent> = {}): FoundAgent => ({
  ...absent(name),
  path: `/bin/${name}`,
  version: name === 'claude' ? '2.1.200' : '0.150.0',
  ...more,
})

describe('agents', () => {
  test('one that is there and logged in is ok, and the others need not be there', () => {
    const found = [present('claude', { login: { status: 'yes', by: 'ANTHROPIC_API_KEY' } }), absent('codex')]
    expect(agentFindings(found)).toEqual([
      {
        check: 'agent claude',
        status: 'ok',
        says: '2.1.200 (/bin/claude), logged in (ANTHROPIC_API_KEY); reports tokens, cost, limit reset times, denials',
      },
      { check: 'agent codex', status: 'absent', says: 'not installed' },
    ])
  })

  test.each([
    ['2.0.9', true],
    ['2.0.76', false],
    ['2.1.9', false],
    ['2.1.325', false],
    ['2.1.326', true],
    ['10.0.0', true],
    ['unknown', false],
  ])('a version that was never tested is a note, not a fault: %s', (version, isNoted) => {
    const [finding] = agentFindings([present('claude', { version, login: { status: 'unknown', by: null } })])
    expect(finding?.status).toBe('ok')
    expect(finding?.says.endsWith('; tested with 2.0.76 to 2.1.325')).toBe(isNoted)
  })

  test('none at all, not logged in, not answering: each has its own way out', () => {
    expect(agentFindings([absent('codex')])).toMatchObject([{ status: 'weak', fix: 'npm install -g @openai/codex' }])
    expect(agentFindings([present('codex')])).toMatchObject([
      {
        status: 'weak',
        says: '0.150.0 (/bin/codex), not logged in; reports tokens',
        fix: expect.stringMatching(/^codex login/),
      },
    ])
    expect(agentFindings([present('codex', { version: null, problem: 'exit 3' })])).toMatchObject([
      { status: 'weak', says: '/bin/codex does not respond: exit 3' },
    ])
  })
})

describe('git', () => {
  const git = ({ cwd, env }: Environment, ...words: string[]) =>
    execFileSync('git', words, { cwd, env, stdio: 'ignore' })
  const says = async (environment: Environment) =>
    (await gitFindings(environment)).map(({ status, says: what }) => `${status}: ${what}`)

  test('a folder without one, a fresh one, a dirty one and a clean one are told apart', async () => {
    const { environment, repo, write } = scratch()
    expect(await says(environment)).toEqual([
      'weak: not set: agents cannot commit',
      "weak: not a git repository: an agent's changes cannot be seen or undone",
    ])
    git(environment, 'init', '-q')
    git(environment, 'config', '--global', 'user.name', 'A Person')
    git(environment, 'config', '--global', 'user.email', 'person@example.org')
    expect(await says(environment)).toEqual([
      'ok: A Person <person@example.org>',
      'weak: no commit yet: there is no state to go back to',
    ])
    write({ a: '1', b: '2' })
    git(environment, 'add', 'a')
    git(environment, 'commit', '-qm', 'first')
    expect((await says(environment))[1]).toBe('weak: 1 uncommitted change')
    write({ a: 'changed' })
    expect((await says(environment))[1]).toBe('weak: 2 uncommitted changes')
    git(environment, 'add', '-A')
    git(environment, 'commit', '-qm', 'second')
    expect((await says(environment))[1]).toBe('ok: everything is committed')
    mkdirSync(join(repo, 'sub'))
    expect((await says({ ...environment, cwd: join(repo, 'sub') }))[1]).toBe('ok: everything is committed')
  })

  test('a repository that names a program for git to run does not get it run', async () => {
    const { environment, root } = scratch()
    git(environment, 'init', '-q')
    git(environment, 'config', 'core.fsmonitor', `touch ${root}/owned; false`)
    await gitFindings(environment)
    expect(existsSync(join(root, 'owned'))).toBe(false)
  })

  test('a git that does not answer is a finding, and the other checks go on', async () => {
    const { environment, program } = scratch()
    git(environment, 'init', '-q')
    const expected = [{ check: 'repository', status: 'weak', says: 'git did not answer within 0.3 s' }]
    for (const hanging of ['config', 'status']) {
      program('git', `case " $* " in *" ${hanging} "*) sleep 600 ;; esac`)
      expect(await gitFindings(environment, 300)).toMatchObject(expected)
    }
  })

  test('no git at all is told by its own check alone', async () => {
    const { environment } = scratch()
    expect(await gitFindings({ ...environment, env: { ...environment.env, PATH: '/nowhere' } })).toEqual([])
  })
})

describe('configuration', () => {
  test('none, one by init, one that nobody trusts, a broken one', async () => {
    const { environment, machine, program, write } = scratch({ '.git/': '', Makefile: 'test:\n' })
    program('claude', 'echo 2.1.0')
    const finding = async () => configurationFinding(machine, await findAgents(environment))
    expect(await finding()).toMatchObject({ status: 'weak', fix: 'pawl init' })
    await writeInit(machine, await planInit(machine, environment.cwd))
    expect(await finding()).toEqual({
      check: 'configuration',
      status: 'ok',
      says: 'procedures: build; agent: claude; gates: 1',
    })
    write({ '.pawl/config.yml': 'procedures: { build: { ai_cmd: my-agent --x, gates: [other] } }\n' })
    expect(await finding()).toMatchObject({
      status: 'weak',
      says: 'procedures: build; agent: my-agent; gates: 1; you have not trusted its commands yet',
      fix: 'read the config, then: pawl run build --trust',
    })
    write({ '.pawl/config.yml': 'a: 1\nb: 2\n' })
    expect(await finding()).toMatchObject({ status: 'fail', says: expect.stringContaining('.pawl/config.yml:1:1 a') })
  })

  test('a configured agent that is not installed, and none at all', async () => {
    const { environment, machine, write } = scratch({ '.pawl/config.yml': 'procedures: { build: { agent: codex } }\n' })
    const finding = async () => configurationFinding(machine, await findAgents(environment))
    expect(await finding()).toMatchObject({
      status: 'weak',
      says: 'procedures: build; agent: codex; gates: 0; codex is not installed',
    })
    write({ '.pawl/config.yml': 'procedures: { build: { act: x } }\n' })
    expect(await finding()).toMatchObject({ status: 'weak', fix: 'set agent or ai_cmd in the config' })
  })
})

// A machine that does much else at the same time may need another try.
test('all checks run at once: three agents that hang cost one timeout', { retry: 2 }, async () => {
  const { machine, program } = scratch()
  for (const name of ['claude', 'codex', 'opencode']) program(name, "trap '' INT TERM; while :; do sleep 1; done")
  const began = performance.now()
  const findings = await runDoctor(machine)
  expect(performance.now() - began).toBeLessThan(3 * 3500)
  expect(findings.filter(({ says }) => says.includes('no answer within 3.5 s'))).toHaveLength(3)
})

test('a run whose journal cannot be read is told and breaks nothing', async () => {
  const { machine, repo } = scratch()
  const id = '20260214-101502-4f2a1c'
  const dir = join(repo, '.pawl/runs', id)
  mkdirSync(dir, { recursive: true })
  const request = { run_id: id, mode: 'procedure', name: 'build', workspace: repo, created: '2026-02-14T10:15:02Z' }
  writeFileSync(join(dir, 'request.json'), JSON.stringify(request))
  mkdirSync(join(dir, 'progress.ndjson'))
  const run = (await runDoctor(machine)).find(({ check }) => check === 'run build')
  expect(run).toMatchObject({ status: 'weak', fix: `pawl fsck ${id}` })
})
