import { expect, test } from 'vitest'
import { hintFix } from '../../src/machine/agents.ts'
import type { AgentReport } from '../../src/ports/agent.ts'
import type { Environment } from '../../src/run/machine.ts'

const here: Environment = {
  program: 'pawl',
  cwd: '/',
  env: { LOCAL_KEY: 'abc', CODEX_API_KEY: 'def', SEEN_KEY: 'ghi' },
  home: '/home/person',
  folder: '.pawl',
  stateFolder: '/state',
}
const passed = { SEEN_KEY: 'ghi' }
const add = (name: string) => `${name} is set here, but hidden from agents: add it to env: in .pawl/config.yml`

async function run(program: string, more: Partial<AgentReport>): Promise<string | undefined> {
  const usage = { tokens: null, costUsd: null }
  const report: AgentReport = {
    status: 'failed',
    exitCode: 1,
    usage,
    providerMs: 1,
    denied: 0,
    lastMessage: '',
    ...more,
  }
  const agent = { name: program, run: () => Promise.resolve(report) }
  const request = { run: 'r', task: 't', attempt: 1, cwd: '/', prompt: { text: '' } }
  return (await hintFix(agent, program, here, passed).run(request, new AbortController().signal)).detail
}

const missing = (name: string) => `exit 1; Missing environment variable: \`${name}\`.`

test('a variable that is set here and hidden from the agent is named, with the place to add it', async () => {
  const detail = missing('LOCAL_KEY')
  expect(await run('codex', { worked: false, detail })).toBe(`${detail}; ${add('LOCAL_KEY')}`)
  const own = 'exit 1; Error: LOCAL_KEY is not set'
  expect(await run('my-agent', { detail: own })).toBe(`${own}; ${add('LOCAL_KEY')}`)
})

test('a variable that is set nowhere has to be set as well', async () => {
  const detail = missing('OTHER_KEY')
  expect(await run('codex', { worked: false, detail })).toBe(
    `${detail}; set OTHER_KEY, and add it to env: in .pawl/config.yml`,
  )
})

test('without a login, a hidden key of the agent comes before how to log in', async () => {
  const report = { fault: 'login', worked: false, detail: 'exit 1; Not logged in' } as const
  expect(await run('codex', report)).toBe(`not logged in (exit 1; Not logged in): ${add('CODEX_API_KEY')}`)
  expect(await run('/usr/bin/claude', report)).toBe(
    'not logged in (exit 1; Not logged in): start claude once and log in, or set ANTHROPIC_API_KEY',
  )
  expect(await run('mine', report)).toBe('not logged in (exit 1; Not logged in): run mine yourself and log in')
})

test.each([
  ['it worked', { worked: true, detail: missing('LOCAL_KEY') }],
  ['it was stopped', { status: 'timed-out', detail: missing('LOCAL_KEY') }],
  ['it gets the variable', { worked: false, detail: 'exit 1; SEEN_KEY has no access to the model' }],
  ['the name is no variable', { worked: false, detail: 'exit 1; ERR_MODULE_NOT_FOUND' }],
] as const)('nothing is added if %s', async (_, report) => {
  expect(await run('codex', report)).toBe(report.detail)
})
